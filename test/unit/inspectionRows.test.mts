import { expect, it } from 'vitest';

import { looksLikeTotal } from '#connector/domain/create/inspectionRows.ts';

it.each([
	...[
		'Total',
		'TOTAL:',
		'Grand total',
		'Sub-total',
		'Subtotal',
		'V-103 Total',
		'V-103 Ergebnis',
		'Sum of costs',
	],
	...[
		'Gesamtergebnis',
		'Summe: 12',
		'Gesamt',
		'Zwischensumme',
		'Anzahl',
		'V-103 Anzahl',
		'V-103 Mittelwert',
	],
	...[
		'Sous-total',
		'Somme',
		'Moyenne',
		'Total général',
		'Nombre 12',
		'Suma',
		'V-103 Promedio',
		'Recuento',
	],
	...[
		'Razem',
		'Ogółem',
		'Łącznie',
		'Suma końcowa',
		'V-103 Średnia',
		'Totale',
		'Somma',
		'Totaal',
		'Aantal',
	],
	...[
		'I alt',
		'Yhteensä',
		'Celkem',
		'Součet',
		'Összesen',
		'Toplam',
		'Genel Toplam',
		'Итого',
		'Всего',
		'Сумма',
	],
	...[
		'合计',
		'小計',
		'합계',
		'V-103 Count',
		'Average',
		'Média 4',
		'Gemiddelde',
		'Medelvärde',
		'Σύνολο',
	],
])('%j looks like a total', (cell) => {
	expect(looksLikeTotal({ No: '', Area: cell, Costs: 9 })).toBe(true);
});

it.each([
	'Totally new',
	'Summer',
	'Average speed camera',
	'Counter',
	'V-103',
	'Media centre',
	'Anzahl der Türen',
	12,
])("%j doesn't look like a total", (cell) => {
	expect(looksLikeTotal({ Area: cell, Note: 'Total' })).toBe(false);
});
