import { afterEach, describe, expect, test, vi } from 'vitest';

import { LruCache } from '#connector/cache/lruCache.ts';

describe('a cached value', () => {
	afterEach(() => {
		vi.restoreAllMocks();
		vi.useRealTimers();
	});

	test('is created once for all callers', () => {
		const memory = new LruCache<object>();
		const [made, again] = [1, 2].map(() => memory.getOrMake('a', () => ({})));
		expect(again).toBe(made);
	});

	test('stays while it fits with the ones used later, or is the newest', () => {
		const memory = new LruCache<string>({ maxSize: 32 });
		const keptOf = (names: readonly string[]) => names.map((name) => memory.get(name));
		for (const name of ['a', 'b', 'c']) memory.keep(name, name, 10);
		expect(memory.get('a')).toBe('a');
		memory.keep('d', 'd', 12);
		expect(keptOf(['a', 'b', 'c', 'd'])).toEqual(['a', undefined, 'c', 'd']);
		memory.keep('e', 'e', 100);
		expect(keptOf(['a', 'c', 'd', 'e'])).toEqual([undefined, undefined, undefined, 'e']);
		expect(memory.keep('e', 'less', 1)).toBe('less');
		expect(memory.keep('f', 'f', 31)).toBe('f');
		expect(keptOf(['e', 'f'])).toEqual(['less', 'f']);
	});

	test('expires even without a request', () => {
		vi.useFakeTimers({ toFake: ['Date'] });
		const memory = new LruCache<string>({ maxAgeMs: 60_000 });
		const first = timer();
		memory.keep('old', 'old');
		vi.setSystemTime(Date.now() + 1_000);
		const second = timer();
		memory.keep('new', 'new');
		timer();
		memory.keep('old', 'newer');
		first.abort();
		expect(memory.get('old')).toBe('newer');
		second.abort();
		expect(memory.get('new')).toBeUndefined();
		vi.setSystemTime(Date.now() + 59_999);
		expect(memory.get('old')).toBe('newer');
		vi.setSystemTime(Date.now() + 1);
		expect(memory.get('old')).toBeUndefined();
	});

	function timer() {
		const controller = new AbortController();
		vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(controller.signal);
		return controller;
	}
});
