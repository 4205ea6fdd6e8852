import fc from 'fast-check';

const isSurrogate = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff;

const anyCharacter = fc.oneof(
	fc.string({ minLength: 1, maxLength: 1 }),
	fc
		.integer({ min: 0, max: 0x10_ffff })
		.filter((codePoint) => !isSurrogate(codePoint))
		.map((codePoint) => String.fromCodePoint(codePoint)),
);

/**
 * Generates text of any characters, half of them ASCII. fast-check's unit `binary` takes 0.8 s to prepare, and more
 * than a test's time limit on a busy machine.
 */
export const anyText = (constraints: { maxLength?: number } = {}): fc.Arbitrary<string> =>
	fc.string({ ...constraints, unit: anyCharacter });
