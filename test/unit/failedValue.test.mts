import { describe, expect, it } from 'vitest';

import { failedPartOfKey, failedValueIn } from '#connector/domain/failedValue.ts';

/**
 * Error values in spreadsheets, one line per language. The first lines are from Excel, and the later ones from other
 * programs.
 */
const ERRORS = [
	'#N/A #REF! #VALUE! #NAME? #DIV/0! #NUM! #NULL! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #BUSY!',
	'#GETTING_DATA #UNKNOWN! #PYTHON!',
	'#NV #WERT! #BEZUG! #ZAHL! #ÜBERLAUF! #KALK! #FELD!',
	'#N/D #VALEUR! #NOM? #NOMBRE! #NUL! #CALCUL!',
	'#¡VALOR! #¿NOMBRE? #¡REF! #¡DIV/0! #¡NUM! #¡NULO! #¡DESBORDAMIENTO!',
	'#VALORE! #RIF! #NOME? #NUM! #NULLO!',
	'#N/B #WAARDE! #VERW! #DEEL/0! #NAAM? #GETAL! #LEEG!',
	'#VALOR! #NÚM! #NULO! #NU\u0301M!',
	'#N/D! #ARG! #ADR! #NAZWA? #DZIEL/0! #LICZBA! #ZERO!',
	'#Н/Д #ЗНАЧ! #ССЫЛКА! #ИМЯ? #ДЕЛ/0! #ЧИСЛО! #ПУСТО!',
	'#YOK #DEĞER! #AD? #SAYI/0! #BAŞV!',
	'#SAKNAS! #VÄRDEFEL! #I/T #VÆRDI! #NENÍ_K_DISPOZICI #HODNOTA! #DĚLENÍ_NULOU! #HIÁNYZIK #ÉRTÉK! #Δ/Υ',
	'#ERROR! #MACRO? Err:502 Err:508 ########',
	'undefined NaN',
]
	.flatMap((line) => line.split(' '))
	.concat('[object Object]', '[object Array]', 'Invalid DateTime', 'Invalid Date');

const NO_ERRORS = [
	'#1',
	'#Gate!',
	'Gate #12!',
	'Is it at #B2?',
	'#B2',
	'#FF00AA',
	'#safety!',
	'#SAFETY',
	'N/A',
	'### Findings',
	'Nan',
	'Cable NVA, #NVA',
	'#N/Ability',
	'undefinedness',
	'invalid date',
	'nullable',
	'null Mängel',
	'Err:12',
	'',
];

describe('the value of a failed formula or expression', () => {
	it.each(ERRORS)('is detected as %s alone, within text, or in a key', (error) => {
		for (const text of [error, ` ${error} `, `Gate – ${error}`, `V-${error}-7`, `${error}, why?`]) {
			expect(failedValueIn(text)).toBe(error);
			expect(failedPartOfKey(text)).toBe(error);
		}
	});

	it.each(NO_ERRORS)("isn't seen in %j", (text) => {
		expect(failedValueIn(text)).toBeUndefined();
	});

	it.each(['null', ' NULL ', '##', '###', 'Loading...'])(
		'is detected as %j only if it fills the cell',
		(cell) => {
			expect(failedValueIn(cell)).toBe(cell.trim());
			expect(failedValueIn(`Gate ${cell} 7`)).toBeUndefined();
		},
	);

	it('is detected as null within a key, because only an expression writes it there', () => {
		expect(failedPartOfKey('7 null')).toBe('null');
		expect(failedPartOfKey('NULL-7')).toBeUndefined();
	});
});
