import * as answer from '../../nodes/InspectionService/domain/answer/answer.ts';
import * as choiceIndex from '../../nodes/InspectionService/domain/answer/choiceIndex.ts';
import { readChoices } from '../../nodes/InspectionService/domain/answer/choices.ts';
import * as dateAnswer from '../../nodes/InspectionService/domain/answer/dateAnswer.ts';
import * as dateFormat from '../../nodes/InspectionService/domain/answer/dateFormat.ts';
import * as numbers from '../../nodes/InspectionService/domain/answer/numbers.ts';
import * as sameAnswer from '../../nodes/InspectionService/domain/answer/sameAnswer.ts';
import { isSameButForNow } from '../../nodes/InspectionService/domain/answer/sameAnswer.ts';
import { storedResponsesOf } from '../../nodes/InspectionService/domain/answer/storedResponse.ts';
import * as yesNo from '../../nodes/InspectionService/domain/answer/yesNo.ts';
import {
	createdCells,
	simplifiedCreated,
} from '../../nodes/InspectionService/domain/create/createdCells.ts';
import {
	createdInspection,
	lookedUpInspection,
	sameNameAmong,
} from '../../nodes/InspectionService/domain/create/createdInspection.ts';
import { detailsOf } from '../../nodes/InspectionService/domain/create/details.ts';
import {
	comparedText,
	groupRows,
	groupValue,
	isEmptyRow,
	isGroupColumn,
	similarGroups,
	utcText,
} from '../../nodes/InspectionService/domain/create/groupRows.ts';
import { mergeDrafts } from '../../nodes/InspectionService/domain/create/mergeDrafts.ts';
import { draftOf } from '../../nodes/InspectionService/domain/create/rowAnswers.ts';
import {
	ambiguousKey,
	sectionExample,
} from '../../nodes/InspectionService/domain/create/sectionAnswers.ts';
import * as uniqueKey from '../../nodes/InspectionService/domain/create/uniqueKey.ts';
import * as unused from '../../nodes/InspectionService/domain/create/unusedColumns.ts';
import * as displayName from '../../nodes/InspectionService/domain/displayName.ts';
import {
	storageOrigin,
	unencryptedUrlWarning,
} from '../../nodes/InspectionService/domain/file/downloadUrl.ts';
import * as fileName from '../../nodes/InspectionService/domain/file/fileName.ts';
import {
	dispositionFileName,
	uniqueFileNames,
} from '../../nodes/InspectionService/domain/file/fileName.ts';
import * as id from '../../nodes/InspectionService/domain/id.ts';
import { asControlId, asFieldId } from '../../nodes/InspectionService/domain/id.ts';
import { itemsForModel } from '../../nodes/InspectionService/domain/itemsForModel.ts';
import * as json from '../../nodes/InspectionService/domain/json.ts';
import type { JsonRecord } from '../../nodes/InspectionService/domain/json.ts';
import { missingParts } from '../../nodes/InspectionService/domain/list/askedParts.ts';
import { inspectionPageOf } from '../../nodes/InspectionService/domain/list/inspectionPage.ts';
import { listQueryString } from '../../nodes/InspectionService/domain/list/listQueryString.ts';
import * as misreadSheet from '../../nodes/InspectionService/domain/misreadSheet.ts';
import {
	nameAndMeant,
	nearestAmong,
	nearestName,
} from '../../nodes/InspectionService/domain/nearestName.ts';
import * as nesting from '../../nodes/InspectionService/domain/nesting.ts';
import { composedText, trimmedEnd } from '../../nodes/InspectionService/domain/plainText.ts';
import * as plainText from '../../nodes/InspectionService/domain/plainText.ts';
import * as apiKey from '../../nodes/InspectionService/domain/request/apiKey.ts';
import { redactorOf } from '../../nodes/InspectionService/domain/request/apiKey.ts';
import { checkDestination } from '../../nodes/InspectionService/domain/request/destination.ts';
import {
	redirectTarget,
	reportOf,
} from '../../nodes/InspectionService/domain/request/failureReport.ts';
import { meaningOf } from '../../nodes/InspectionService/domain/request/networkFailure.ts';
import {
	askedWaitMs,
	httpDate,
	retryAfterMs,
} from '../../nodes/InspectionService/domain/request/retryAfter.ts';
import * as serviceAddress from '../../nodes/InspectionService/domain/request/serviceAddress.ts';
import { normaliseCreatePath } from '../../nodes/InspectionService/domain/request/serviceAddress.ts';
import * as serviceResponse from '../../nodes/InspectionService/domain/request/serviceResponse.ts';
import { shapeOf } from '../../nodes/InspectionService/domain/responseShape.ts';
import { answerRecordsOf } from '../../nodes/InspectionService/domain/row/answerRecords.ts';
import { cellMaker, choiceJoiner } from '../../nodes/InspectionService/domain/row/cell.ts';
import {
	missingFields,
	onlyFields,
} from '../../nodes/InspectionService/domain/row/chosenFields.ts';
import { emptyRow } from '../../nodes/InspectionService/domain/row/emptyRow.ts';
import {
	fileNameInItem,
	fileRecordsOf,
} from '../../nodes/InspectionService/domain/row/fileRecords.ts';
import {
	instanceSection,
	missingSection,
} from '../../nodes/InspectionService/domain/row/instanceSection.ts';
import { localDate, shownTime } from '../../nodes/InspectionService/domain/row/localDate.ts';
import { knownTemplate, rowsOf } from '../../nodes/InspectionService/domain/row/row.ts';
import { simplified } from '../../nodes/InspectionService/domain/row/simplified.ts';
import * as rowKeys from '../../nodes/InspectionService/domain/rowKeys.ts';
import { problemLines } from '../../nodes/InspectionService/domain/rowProblems.ts';
import * as serviceWords from '../../nodes/InspectionService/domain/serviceWords.ts';
import * as shownText from '../../nodes/InspectionService/domain/shownText.ts';
import { listText } from '../../nodes/InspectionService/domain/shownText.ts';
import * as control from '../../nodes/InspectionService/domain/template/control.ts';
import { formOf } from '../../nodes/InspectionService/domain/template/form.ts';
import { keysOf } from '../../nodes/InspectionService/domain/template/keys.ts';
import {
	ANSWERABLE_TYPES,
	type Question,
} from '../../nodes/InspectionService/domain/template/question.ts';
import {
	hasTemplateGuid,
	isMadeFrom,
	isOfTemplate,
	mayBeOfTemplate,
	saysTemplate,
} from '../../nodes/InspectionService/domain/template/templateOfInspection.ts';
import { questionsOf } from '../../nodes/InspectionService/domain/template/templateQuestions.ts';
import * as timestamp from '../../nodes/InspectionService/domain/timestamp.ts';
import { because, feeds, type GrowthCase, within } from './growthCase.mts';
import { groupRequest, requestOf, rowOf } from './madeOfRows.mts';
import { momentOf, READING_GROWTH } from './readingGrowthCases.mts';

const WORDS = { yes: new Map([['x', 'x']]), no: new Map([['-', '-']]) };
const READING = { timeZone: 'Europe/Berlin' };
const CHOICES = ['Yes', 'No', 'a', '1', '"', 'a, b', '0;0', '. .'];

function question(type: Question['type'], choices: readonly string[] = CHOICES): Question {
	return {
		fieldId: asFieldId('f'),
		controlId: asControlId('c'),
		label: 'Question',
		path: 'Page/Question',
		name: 'Question',
		type,
		required: false,
		choices,
		showTime: true,
		section: null,
	};
}

/** A template whose labels, paths and choices are the text. */
function templateWith(text: string): JsonRecord {
	const settings = { is_repeatable: true, choices: [text, `${text}x`] };
	return {
		id: 't',
		data: {
			controls: [
				{ id: 's', field_id: 's', type: 'section', label: text, path: text, settings },
				{ id: 'p', field_id: 'p', type: 'section', label: text, parent_id: 's' },
				{
					id: 'q',
					field_id: 'q',
					type: 'checkbox',
					label: 'Q',
					path: text,
					parent_id: 'p',
					settings,
				},
				{ id: text, field_id: text, type: 'text', label: text, path: `${text}/x`, parent_id: 'p' },
			],
		},
	};
}

const FORM = formOf(templateWith('Label'));

/** Fields beside the answers, each with the text. */
const FIELDS = (text: string) => ({
	...{ name: text, teamId: text, createdBy: text, customFields: { [text]: text }, locations: text },
});
const TASK = (text: string) => ({
	...{ title: text, priority: text, dueDateTime: text, assignee: text },
});
const givenFor = (of: Question, text: string) => ({
	...{ question: of, given: text, value: text, problem: undefined },
});

const PAGE = { sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 100 } as const;

/** What some work gives; undefined where it refuses. */
function outcomeOf(work: () => unknown): unknown {
	try {
		return work();
	} catch {
		return undefined;
	}
}

const inspectionWith = (text: string) => ({
	id: 'i',
	name: text,
	template: { id: 't', name: text },
	files: [{ id: text, name: text, type: text }],
	data: {
		items: [
			{ field_id: 'q', label: text, path: text, response: { value: text } },
			{ field_id: text, label: 'x', path: `${text}/`, response: { value: [text, text] } },
		],
	},
});

const TEMPLATES = new Map([['t', knownTemplate(templateWith('Label'))]]);

/**
 * Every public function of the pure core that works on text or values from outside, by module and name: what to feed
 * it, or why not. A new export needs an entry here.
 */
export const GROWTH: Readonly<Record<string, Readonly<Record<string, GrowthCase>>>> = {
	...READING_GROWTH,
	'answer/answer.ts': {
		isEmpty: because('compares with three values'),
		isoOf: because('takes dates only, no text'),
		readAnswer: feeds((text) =>
			ANSWERABLE_TYPES.map((type) => [
				answer.readAnswer(question(type), text, READING),
				answer.readAnswer(question(type, []), text, READING),
				answer.readAnswer(question(type), text, { ...READING, decimalSeparator: 'comma' }),
				answer.readAnswer(question(type), [text, [text]], READING),
			]),
		),
		titleOf: because('puts a name and numbers together'),
		shownValue: feeds((text) => [answer.shownValue(text), answer.shownValue([text])]),
	},
	'row/cell.ts': {
		choiceJoiner: feeds((text) => [
			choiceJoiner(CHOICES)([text, 'Yes']),
			choiceJoiner([])([text, 'a']),
			choiceJoiner([text, 'a'])([text, 'a']),
		]),
		cellMaker: feeds((text) =>
			ANSWERABLE_TYPES.map((type) => cellMaker({ type, choices: CHOICES })([text, text])),
		),
	},
	'answer/choices.ts': {
		isSameSet: because('compares whole texts'),
		readChoices: feeds((text) => [
			readChoices(text, []),
			readChoices(text, CHOICES),
			readChoices(`${text},Yes`, [text, 'Yes']),
			readChoices([text], [text.slice(1), text]),
		]),
	},
	'answer/choiceIndex.ts': {
		separatorsIn: feeds(choiceIndex.separatorsIn),
		choiceIndexOf: feeds((text) => {
			const index = choiceIndex.choiceIndexOf([text, `${text},x`]);
			return [index.find(text), index.find(` ${text}`), index.findTruth(text)];
		}),
	},
	'answer/yesNo.ts': {
		yesNoWords: because('takes words that the user has typed into the node'),
		doubtfulWord: because('takes words that the user has typed into the node'),
		yesNoOf: feeds((text) => yesNo.yesNoOf(question('radio', [text, `${text}x`]))),
		choiceOfWord: feeds((text) => yesNo.choiceOfWord(text, { yes: 'A', no: 'B' }, WORDS)),
		wordsFor: because('compares whole texts'),
		isMark: feeds(yesNo.isMark),
	},
	'answer/dateAnswer.ts': {
		utcDateOf: feeds((text) => [
			dateAnswer.utcDateOf(text, { ...READING, showTime: true }),
			dateAnswer.utcDateOf(`2026-01-01T00:00:00.${text}`, {
				...READING,
				showTime: true,
				dateFormat: 'dd.MM.yyyy',
			}),
		]),
		utcEndOf: feeds((text) => dateAnswer.utcEndOf(text, READING)),
		namesDay: feeds(dateAnswer.namesDay),
		isDate: because('looks at the type'),
	},
	'answer/dateFormat.ts': {
		dateInFormat: feeds((text) => dateFormat.dateInFormat(text, 'dd.MM.yyyy', 'UTC')),
		dateFormatProblem: because('takes a format that the user has typed into the node'),
		dateProblem: feeds((text) => dateFormat.dateProblem(text, '2026-05-31', undefined)),
	},
	'answer/numbers.ts': {
		decimalFromText: feeds((text) => [
			numbers.decimalFromText(text, 'comma'),
			numbers.decimalFromText(text, 'point'),
		]),
		hasThousandsOrDecimals: feeds(numbers.hasThousandsOrDecimals),
		decimalCure: because('words of a message'),
		canonicalNumber: feeds(numbers.canonicalNumber),
		numberFromText: feeds(numbers.numberFromText),
		withoutUnit: feeds((text) => [numbers.withoutUnit(text), numbers.withoutUnit(`5${text}`)]),
	},
	'answer/sameAnswer.ts': {
		isSameButForNow: feeds((text) =>
			isSameButForNow(`${text} 2026-05-31T14:30:00Z`, `${text} 2026-05-31T14:30:01Z`),
		),
		meansSame: feeds((text) =>
			ANSWERABLE_TYPES.map((type) =>
				sameAnswer.meansSame(givenFor(question(type), text), givenFor(question(type), `${text} `)),
			),
		),
		isSameAnswer: feeds((text) =>
			ANSWERABLE_TYPES.map((type) => sameAnswer.isSameAnswer(question(type), text, [text])),
		),
		isStoredAs: feeds((text) =>
			ANSWERABLE_TYPES.map((type) => [
				sameAnswer.isStoredAs(question(type), text, `${text} `),
				sameAnswer.isStoredAs(question(type), [text, 'x'], `x,${text}`),
			]),
		),
	},
	'answer/storedResponse.ts': {
		storedResponsesOf: feeds((text) => storedResponsesOf(inspectionWith(text))),
	},
	'plainText.ts': {
		withoutByteOrderMark: feeds(plainText.withoutByteOrderMark),
		plainText: feeds(plainText.plainText),
		isBlank: feeds(plainText.isBlank),
		isSameText: feeds((text) => plainText.isSameText(text, `${text} `)),
		foldName: feeds(plainText.foldName),
		foldPath: feeds(plainText.foldPath),
		composedText: feeds(composedText),
		trimmedEnd: feeds((text) => trimmedEnd(text, '0')),
	},
	'create/createRequest.ts': {
		createRequest: feeds((text) => [
			outcomeOf(() =>
				requestOf(FORM, [
					rowOf(
						{
							'section:s': [{ q: text }, { Label: text }, { [text]: { Label: text } }],
							[text]: text,
						},
						{ additionalFields: FIELDS(text), task: TASK(text) },
					),
				]),
			),
			outcomeOf(() =>
				requestOf(FORM, [rowOf({ [text]: text, 'section:s': text }, { by: 'columns' })]),
			),
			outcomeOf(() =>
				groupRequest(
					FORM,
					[text, `${text}x`].map((q) => ({ q, [text]: q })),
				),
			),
		]),
	},
	'create/checkDraft.ts': { checkDraft: within('createRequest') },
	'create/details.ts': {
		detailsOf: feeds((text) =>
			detailsOf({ additionalFields: FIELDS(text), task: TASK(text) }, READING),
		),
		bodyOf: within('createRequest'),
	},
	'create/mergeDrafts.ts': {
		mergeDrafts: feeds((text) =>
			mergeDrafts(
				[text, `${text} `].map((value, place) => {
					const row = rowOf({ q: value }, { additionalFields: FIELDS(value), task: TASK(value) });
					return { row: place, draft: draftOf(FORM, row, { ...READING, isGrouped: true }) };
				}),
			),
		),
	},
	'create/rowAnswers.ts': { draftOf: within('createRequest and mergeDrafts') },
	'create/draft.ts': {
		rowNumber: because('takes a number'),
		problemOfRow: within('mergeDrafts'),
		namingRow: because('calls what it is given'),
	},
	'create/sectionAnswers.ts': {
		readSection: within('createRequest'),
		ambiguousKey: feeds((text) => ambiguousKey(text, questionsOf(templateWith(text)).questions)),
		sectionExample: feeds((text) => sectionExample(questionsOf(templateWith(text)).questions)),
	},
	'create/unusedColumns.ts': {
		namedColumns: within('unmatchedColumns'),
		unmatchedColumns: feeds((text) =>
			unused.unmatchedColumns(formOf(templateWith(text)), [text, `${text}/Label`, `x${text}`]),
		),
		unmatchedCause: within('unmatchedColumns'),
		carriedError: feeds((text) => unused.carriedError(FORM, { error: text })),
		itemError: within('carriedError'),
		unmappedItems: feeds((text) => unused.unmappedItems(FORM, [{ [text]: text }], () => false)),
		unusedDetails: feeds((text) => unused.unusedDetails(FORM, { name: text, [text]: text }, {})),
		ownColumns: feeds((text) => unused.ownColumns(FORM, { name: text, [text]: text })),
	},
	'create/createdCells.ts': {
		createdCells: feeds((text) =>
			createdCells(lookedUpInspection({}, { alreadyExisted: true, warnings: [text, text] })),
		),
		simplifiedCreated: feeds((text) => {
			const created = lookedUpInspection(
				{ name: text },
				{ alreadyExisted: true, warnings: [text] },
			);
			return simplifiedCreated(created, { name: text, team: { name: text } });
		}),
	},
	'create/createdInspection.ts': {
		createdInspection: feeds((text) =>
			createdInspection({ ...inspectionWith(text), warnings: [text] }, [
				{ question: { ...question('text'), fieldId: asFieldId('q') }, order: 1, value: text },
			]),
		),
		lookedUpInspection: within('createdInspection'),
		sameNameAmong: feeds((text) => sameNameAmong([inspectionWith(text)], { name: text })),
	},
	'create/uniqueKey.ts': {
		uniqueKeyOf: feeds((text) => uniqueKey.uniqueKeyOf(text, text)),
		withUniqueKey: feeds((text) =>
			uniqueKey.withUniqueKey({ custom_fields: [{ name: text }] }, { field: 'k', value: text }),
		),
		keyOfRows: feeds((text) => uniqueKey.keyOfRows([{ row: 1, value: text }], text)),
		keyOfInspection: feeds((text) =>
			uniqueKey.keyOfInspection({ custom_fields: [{ name: text, value: text }] }, text),
		),
		KeyedInspections: feeds((text) => {
			const kept = new uniqueKey.KeyedInspections('k');
			kept.add(
				[{ id: text, template: text, custom_fields: [{ name: 'k', value: text }] }],
				new Set([text]),
			);
			return kept.get(text, { id: text });
		}),
	},
	'create/groupRows.ts': {
		comparedText: feeds((text) => [comparedText(text), comparedText({ text })]),
		utcText: feeds((text) => utcText({ toISO: () => text })),
		similarGroups: feeds((text) =>
			similarGroups([
				{ rows: [0], value: text, problem: undefined },
				{ rows: [1], value: text.toUpperCase(), problem: undefined },
			]),
		),
		groupRows: feeds((text) => [
			groupRows([{ [text]: text }], text),
			groupRows([{ a: text }], `['${text}']`),
		]),
		groupValue: feeds((text) => groupValue({ [text]: text }, `['${text}']`)),
		isGroupColumn: feeds((text) => isGroupColumn(text, `['${text}']`)),
		isEmptyRow: feeds((text) => isEmptyRow({ [text]: ' '.repeat(text.length) })),
	},
	'displayName.ts': {
		nameOrOf: feeds((text) => displayName.nameOrOf({ id: text }, { id: text, name: text })),
		displayName: feeds((text) => displayName.displayName({ name: text })),
		nestedId: feeds((text) => displayName.nestedId({ id: text })),
	},
	'file/fileName.ts': {
		dispositionFileName: feeds((text) => [
			dispositionFileName(text),
			dispositionFileName(`attachment; filename="${text}`),
			dispositionFileName(`attachment; filename*=UTF-8''${text}`),
		]),
		uniqueFileNames: feeds((text) => uniqueFileNames([`a${text}.jpg`, `a${text}.jpg`])),
		describeFile: feeds((text) =>
			fileName.describeFile({
				wantedName: text,
				listedName: text,
				fileId: text,
				url: `https://example.com/${text}`,
				headers: { 'content-type': text, 'content-disposition': text },
			}),
		),
		safeFileName: feeds((text) => [
			fileName.safeFileName(text),
			fileName.safeFileName(`a${text}.jpg`),
		]),
		statedType: feeds(fileName.statedType),
		typeOfName: feeds(fileName.typeOfName),
		extensionOf: feeds(fileName.extensionOf),
	},
	'row/fileRecords.ts': {
		fileNameInItem: feeds((text) => fileNameInItem({ file_id: text, name: text }, text)),
		fileRecordsOf: feeds((text) => fileRecordsOf(inspectionWith(text))),
		listedName: within('fileRecordsOf'),
		fileKind: within('fileRecordsOf'),
	},
	'file/downloadUrl.ts': {
		storageOrigin: feeds((text) =>
			['', 'https://a', 'https://a/', 'x:'].map((start) =>
				outcomeOf(() => storageOrigin(start + text)),
			),
		),
		unencryptedUrlWarning: feeds((text) =>
			unencryptedUrlWarning('https://example.com', `http://example.com/${text}`),
		),
	},
	'id.ts': {
		asFieldId: because('changes the type only'),
		asControlId: because('changes the type only'),
		guidOf: feeds(id.guidOf),
		idKey: feeds(id.idKey),
	},
	'inputError.ts': { InputError: because('carries texts') },
	'json.ts': {
		isRecord: because('looks at the type'),
		isObject: because('looks at the type'),
		textOf: because('looks at the type'),
		parseJson: feeds(json.parseJson),
		jsonText: feeds(json.jsonText),
		recordsOf: because('looks at types'),
	},
	'list/askedParts.ts': {
		missingParts: feeds((text) => missingParts([{ id: text, data: text }], ['data'])),
	},
	'list/inspectionPage.ts': {
		inspectionPageOf: feeds((text) => [
			inspectionPageOf([inspectionWith(text)], { page: 1, pageSize: 100 }, undefined),
			json.parseJson(text),
		]),
	},
	'itemsForModel.ts': {
		itemsForModel: feeds((text) => itemsForModel([{ [text]: text }, { text }], text.length)),
	},
	'shownText.ts': {
		listText: feeds((text) => listText([text, text], 3)),
		codePoint: because('takes one character'),
		cleanLine: feeds((text) => shownText.cleanLine(text, text.length)),
		messageText: feeds(shownText.messageText),
		htmlText: feeds(shownText.htmlText),
		htmlList: feeds((text) => shownText.htmlList([text, text])),
		textOfHtml: feeds(shownText.textOfHtml),
	},
	'groupBy.ts': { groupBy: because('hands elements on as they are') },
	'mapConcurrently.ts': { mapConcurrently: because('hands elements on as they are') },
	'list/listQueryString.ts': {
		listQueryString: feeds((text) => [
			listQueryString({ ...PAGE, teamId: text, templateControlIds: [text] }, 'json'),
			listQueryString({ ...PAGE, teamId: text, templateControlIds: [text] }, 'brackets'),
		]),
	},
	'row/simplified.ts': { simplified: feeds((text) => simplified(inspectionWith(text))) },
	'misreadSheet.ts': {
		hasLostCharacters: feeds(misreadSheet.hasLostCharacters),
		headerCure: feeds((text) => misreadSheet.headerCure([text])),
		sheetCure: feeds((text) => misreadSheet.sheetCure([text])),
	},
	'nearestName.ts': {
		nearestName: feeds((text) => nearestName(text, [`${text}x`, `x${text}`])),
		nearestAmong: feeds((text) => nearestAmong([`${text}x`, `x${text}`])(text)),
		nameAndMeant: feeds((text) => nameAndMeant(text, `${text}x`)),
	},
	'nesting.ts': {
		isShallow: feeds((text) => nesting.isShallow(inspectionWith(text))),
		shallowCopy: feeds((text) => nesting.shallowCopy(inspectionWith(text))),
	},
	'request/apiKey.ts': {
		normaliseApiKey: feeds((text) => [apiKey.normaliseApiKey(text)]),
		redactorOf: feeds((text) => [
			redactorOf('secret"key+/1.')(text),
			redactorOf('secret"key+/1.')(`secret${text}`),
			redactorOf('aaaaaaaa1')(`\\u0061${text}`),
		]),
	},
	'request/serviceAddress.ts': {
		normaliseBaseUrl: feeds((text) => [
			...['', 'https://', 'https://example.com/', 'https://example.com/?'].map((start) =>
				outcomeOf(() => serviceAddress.normaliseBaseUrl(start + text)),
			),
		]),
		shown: feeds((text) => [
			serviceAddress.shown(text),
			serviceAddress.shown(`https://a${text}?${text}`),
		]),
		normaliseCreatePath: feeds((text) => [
			outcomeOf(() => normaliseCreatePath(text)),
			outcomeOf(() => normaliseCreatePath(`/a${text}`)),
		]),
		pathSegment: feeds((text) => serviceAddress.pathSegment('Template ID', text)),
		wellFormed: feeds(serviceAddress.wellFormed),
	},
	'request/destination.ts': {
		checkDestination: feeds((text) =>
			['', 'https://example.com/', 'https://example.com@'].map((start) =>
				outcomeOf(() => {
					const headers = { [text]: text, host: text };
					const url = start + text;
					checkDestination({ url, baseURL: url, headers }, 'https://example.com');
				}),
			),
		),
	},
	'request/explanation.ts': { explanationOf: because('looks up a status') },
	'request/failureReport.ts': {
		reportOf: feeds((text) => {
			const request = {
				...({ operation: 'createInspection', baseUrl: 'https://example.com', path: text } as const),
				...{ template: text, created: { name: text, at: new Date(0) } },
			};
			return [
				reportOf(request, { kind: 'status', status: 400, body: text }),
				reportOf(request, { kind: 'status', status: 302, body: text, location: text }),
				reportOf(request, { kind: 'network', trouble: { code: text, detail: text } }),
				reportOf(request, { kind: 'cutOff', detail: text }),
				reportOf(request, { kind: 'notSent', detail: text }),
			];
		}),
		redirectTarget: feeds((text) => [
			redirectTarget({ baseUrl: 'https://example.com', path: '/v1/inspections' }, text),
			redirectTarget({ baseUrl: 'https://example.com', path: `/${text}` }, `//other/${text}`),
		]),
	},
	'request/networkFailure.ts': {
		meaningOf: feeds((text) => [
			meaningOf({ code: text, detail: text }),
			meaningOf({ code: `ERR_SSL_${text}`, detail: text }),
		]),
	},
	'request/requestFailure.ts': {
		isServerTrouble: because('looks at a status'),
		mayHaveTakenEffect: within('meaningOf and reportOf'),
	},
	'request/retryAfter.ts': {
		httpDate: feeds((text) => httpDate(`Sun, ${text} 10:00:00`)),
		askedWaitMs: feeds((text) =>
			askedWaitMs({ status: 429, headers: { 'retry-after': text, 'ratelimit-reset': text } }, 0),
		),
		retryAfterMs: feeds((text) => retryAfterMs(`Sun, ${text}`, { now: 0, respondedAt: text })),
	},
	'request/retryPolicy.ts': {
		retryWaitMs: because('looks at kinds and statuses'),
		isThrottle: because('looks at kinds and statuses'),
	},
	'request/serviceResponse.ts': {
		readResponse: feeds((text) =>
			[text, JSON.stringify(text), JSON.stringify(templateWith(text))].map((body) =>
				serviceResponse.readResponse({ status: 200, body }, serviceResponse.templateOf),
			),
		),
		templateOf: within('readResponse'),
		createdOf: feeds((text) => serviceResponse.createdOf({ inspection: inspectionWith(text) })),
		fileUrlOf: feeds((text) => serviceResponse.fileUrlOf({ url: text })),
	},
	'responseShape.ts': {
		shapeOf: feeds((text) => shapeOf({ [text]: { [text]: text } })),
		UnexpectedResponseError: because('carries a text'),
	},
	'row/answerRecords.ts': {
		answerRecordsOf: feeds((text) => answerRecordsOf([inspectionWith(text)], TEMPLATES)),
	},
	'row/chosenFields.ts': {
		onlyFields: feeds((text) => onlyFields({ [text]: text }, [text, `${text}x`])),
		missingFields: feeds((text) => missingFields([{ [text]: text }], [`${text}x`, text])),
	},
	'row/instanceSection.ts': {
		instanceSection: feeds((text) => instanceSection(formOf(templateWith(text)), `${text} `)),
		missingSection: feeds((text) => missingSection([formOf(templateWith('Label'))], text)),
	},
	'row/localDate.ts': {
		localDate: feeds((text) => localDate(text, { timeZone: 'Europe/Berlin', showTime: true })),
		shownTime: feeds((text) => shownTime(text, 'Europe/Berlin')),
	},
	'row/placedAnswer.ts': {
		answerPlacer: within('rowsOf and answerRecordsOf'),
		ascending: because('sorts numbers'),
	},
	'row/row.ts': {
		knownTemplate: within('formOf'),
		templateKey: within('rowsOf'),
		rowsOf: feeds((text) =>
			rowsOf([inspectionWith(text)], TEMPLATES, {
				columnNames: 'label',
				rowPerInstanceOf: undefined,
				hasFiles: false,
				hasDownloads: false,
			}),
		),
	},
	'row/rowCells.ts': { rowCells: within('rowsOf') },
	'row/emptyRow.ts': {
		emptyRow: feeds((text) => emptyRow(formOf(templateWith(text)), 2)),
	},
	'row/rowColumns.ts': {
		cellId: within('rowsOf'),
		ownerOf: within('rowsOf'),
		sectionOwner: within('rowsOf'),
		OccurringPairs: within('rowsOf'),
		rowColumns: within('rowsOf'),
	},
	'rowKeys.ts': {
		isRowKey: feeds(rowKeys.isRowKey),
		ownKeysOf: within('createRequest'),
		isColumnKey: feeds(rowKeys.isColumnKey),
		isAddedByN8n: feeds(rowKeys.isAddedByN8n),
	},
	'rowProblems.ts': {
		rowsText: because('takes numbers'),
		refusedHeadline: because('takes numbers'),
		problemLines: feeds((text) =>
			problemLines([
				{ text, items: [1, 2] },
				{ text, items: [7] },
			]),
		),
	},
	'serviceWords.ts': {
		serviceWords: feeds((text) => [
			serviceWords.serviceWords(text),
			serviceWords.serviceWords(`<title>${text}`),
			serviceWords.serviceWords(JSON.stringify({ message: text })),
		]),
		isHtml: feeds((text) => [serviceWords.isHtml(text), serviceWords.isHtml(`<!--${text}`)]),
	},
	'template/form.ts': { formOf: feeds((text) => formOf(templateWith(text)).nearest(text)) },
	'template/keys.ts': {
		keysOf: feeds((text) => {
			const { questions, sections } = questionsOf(templateWith(text));
			const keys = [keysOf([...questions, ...sections]), keysOf(questions, sections[0])];
			return keys.map((each) => [each.find(text), each.find(`${text}: 2 (required)`)]);
		}),
	},
	'template/question.ts': { isQuestion: because('looks at the type') },
	'template/control.ts': {
		controlsOf: feeds((text) => control.controlsOf(templateWith(text))),
		hasControls: within('controlsOf'),
	},
	'template/templateOfInspection.ts': {
		templateIdOf: within('isOfTemplate'),
		isOfTemplate: feeds((text) => isOfTemplate({ template: { id: text } }, text)),
		mayBeOfTemplate: feeds((text) =>
			mayBeOfTemplate({ template: { id: text, name: text } }, { name: text }),
		),
		isMadeFrom: feeds((text) => isMadeFrom({ template: text }, { id: text, name: text })),
		hasTemplateGuid: feeds((text) => hasTemplateGuid({ template: { name: text } })),
		saysTemplate: feeds((text) => saysTemplate({ template: { name: text } })),
	},
	'template/templateQuestions.ts': {
		questionsOf: feeds((text) => questionsOf(templateWith(text))),
	},
	'timestamp.ts': {
		timestampOf: feeds((text) => [
			timestamp.timestampOf(text),
			timestamp.timestampOf(`2026-01-01T00:00:00.${text}Z`),
			timestamp.timestampOf(`2026-01-01T00:00:00.${text}`),
		]),
		compareTimestamps: feeds((text) =>
			timestamp.compareTimestamps(momentOf(text), momentOf(`${text}1`)),
		),
		laterOf: within('compareTimestamps'),
		isLater: within('compareTimestamps'),
		earliestOf: within('compareTimestamps'),
		justAfter: feeds((text) => timestamp.justAfter(momentOf(text))),
		secondAfter: feeds((text) => timestamp.secondAfter(momentOf(text))),
		earlierOf: within('compareTimestamps'),
		floorToMs: feeds((text) => timestamp.floorToMs(momentOf(text))),
		floorToSecond: feeds((text) => timestamp.floorToSecond(momentOf(text))),
		ceilToSecond: feeds((text) => timestamp.ceilToSecond(momentOf(text))),
		isWholeSecond: feeds((text) => timestamp.isWholeSecond(momentOf(text))),
		msSinceEpoch: feeds((text) => timestamp.msSinceEpoch(momentOf(text))),
		timestampOfMs: because('takes a number'),
		addSeconds: feeds((text) => timestamp.addSeconds(momentOf(text), 1)),
	},
};

/** Modules whose functions are not fed one by one, and why. */
export const NOT_FED: Readonly<Record<string, string>> = {
	'request/requestRate.ts': 'counts requests and milliseconds',
};
