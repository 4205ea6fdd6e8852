import { describe, expect, it } from 'vitest';

import { nearestName } from '#connector/domain/nearestName.ts';

describe('the nearest name', () => {
	it.each([
		['Wether', 'Weather'],
		['Weeather', 'Weather'],
		['Westher', 'Weather'],
		['wehater ', 'Weather'],
		['Wether!!', undefined],
		['Site\u00a0Vist', 'Site visit'],
		['Sitvist', undefined],
		['Inspecter', 'Inspector'],
		['Inzpecter', 'Inspector'],
		['Inzpekter', 'Inspector'],
		['Inzpeksor', 'Inspector'],
		['Ynzpekter', undefined],
		['Ispectro', undefined],
		['Ruf', undefined],
		['Rof', 'Roof'],
		['Door', undefined],
		['', undefined],
		['W', undefined],
	])('of %j is %j', (given, expected) => {
		expect(nearestName(given, ['Weather', 'Site visit', 'Inspector', 'Roof'])).toBe(expected);
	});

	it.each([
		['none where two are as near', ['Weather', 'Wetter'], undefined],
		['the nearer one behind a near one', ['Wetters', 'Weather'], 'Weather'],
		['the nearer one before a near one', ['Weather', 'Wetters'], 'Weather'],
		['one with other accents', ['Wéthèrs', 'Site'], 'Wéthèrs'],
		['one that stands twice', ['Weather', 'Weather'], 'Weather'],
	])('is %s', (_, names, expected) => {
		expect(nearestName('Wether', names)).toBe(expected);
	});

	it('has three typing errors at most, and is found by the first 64 characters', () => {
		const long = 'x'.repeat(60);
		expect(nearestName(`${long}abcd`, [`${long}abcdef`])).toBe(`${long}abcdef`);
		expect(nearestName(`${long}abcd`, [`${long}dcba`])).toBeUndefined();
		expect(nearestName(`${long}abcd one text`, [`${long}abcd and quite another`])).toBe(
			`${long}abcd and quite another`,
		);
	});
});
