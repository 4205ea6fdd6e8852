import * as answer from '../../nodes/InspectionService/domain/answer/answer.ts';
import * as answerKeys from '../../nodes/InspectionService/domain/answer/answerKeys.ts';
import * as answerMapping from '../../nodes/InspectionService/domain/answer/answerMapping.ts';
import { choiceJoiner } from '../../nodes/InspectionService/domain/answer/choiceCell.ts';
import * as choiceIndex from '../../nodes/InspectionService/domain/answer/choiceIndex.ts';
import * as choiceParts from '../../nodes/InspectionService/domain/answer/choiceParts.ts';
import { readChoices } from '../../nodes/InspectionService/domain/answer/choiceText.ts';
import * as dateAnswer from '../../nodes/InspectionService/domain/answer/dateAnswer.ts';
import * as dateFormat from '../../nodes/InspectionService/domain/answer/dateFormat.ts';
import * as decimalText from '../../nodes/InspectionService/domain/answer/decimalText.ts';
import { instanceKeysOf } from '../../nodes/InspectionService/domain/answer/instanceKeys.ts';
import * as numberText from '../../nodes/InspectionService/domain/answer/numberText.ts';
import * as sameAnswer from '../../nodes/InspectionService/domain/answer/sameAnswer.ts';
import { sectionExample } from '../../nodes/InspectionService/domain/answer/sectionExample.ts';
import { storedResponsesOf } from '../../nodes/InspectionService/domain/answer/storedResponse.ts';
import { templateForm } from '../../nodes/InspectionService/domain/answer/templateForm.ts';
import { unmappedItem } from '../../nodes/InspectionService/domain/answer/unmappedItem.ts';
import * as columnName from '../../nodes/InspectionService/domain/columnName.ts';
import { composedText } from '../../nodes/InspectionService/domain/composedText.ts';
import { createDetails } from '../../nodes/InspectionService/domain/create/createDetails.ts';
import { createdInspection } from '../../nodes/InspectionService/domain/create/createdInspection.ts';
import { createRequest } from '../../nodes/InspectionService/domain/create/createRequest.ts';
import { groupRows } from '../../nodes/InspectionService/domain/create/groupRows.ts';
import { sameNameAmong } from '../../nodes/InspectionService/domain/create/sameName.ts';
import * as uniqueKey from '../../nodes/InspectionService/domain/create/uniqueKey.ts';
import { unusedDetails } from '../../nodes/InspectionService/domain/create/unusedDetails.ts';
import * as displayName from '../../nodes/InspectionService/domain/displayName.ts';
import { dispositionFileName } from '../../nodes/InspectionService/domain/file/contentDisposition.ts';
import * as fileName from '../../nodes/InspectionService/domain/file/fileName.ts';
import { fileNameInItem } from '../../nodes/InspectionService/domain/file/fileNameInItem.ts';
import * as mediaType from '../../nodes/InspectionService/domain/file/mediaType.ts';
import { asControlId, asFieldId } from '../../nodes/InspectionService/domain/id.ts';
import * as id from '../../nodes/InspectionService/domain/id.ts';
import * as json from '../../nodes/InspectionService/domain/json.ts';
import type { JsonRecord } from '../../nodes/InspectionService/domain/json.ts';
import { inspectionsOf } from '../../nodes/InspectionService/domain/list/inspectionPage.ts';
import { simplified } from '../../nodes/InspectionService/domain/list/simplified.ts';
import { nearestName } from '../../nodes/InspectionService/domain/nearestName.ts';
import * as nesting from '../../nodes/InspectionService/domain/nesting.ts';
import { shapeOf } from '../../nodes/InspectionService/domain/responseShape.ts';
import { answerRecordsOf } from '../../nodes/InspectionService/domain/row/answerRecords.ts';
import { cellMaker } from '../../nodes/InspectionService/domain/row/cell.ts';
import { fileRecordsOf } from '../../nodes/InspectionService/domain/row/fileRecords.ts';
import { knownTemplate, rowsOf } from '../../nodes/InspectionService/domain/row/row.ts';
import * as serviceWords from '../../nodes/InspectionService/domain/serviceWords.ts';
import * as shownText from '../../nodes/InspectionService/domain/shownText.ts';
import * as control from '../../nodes/InspectionService/domain/template/control.ts';
import {
	ANSWERABLE_TYPES,
	type Question,
} from '../../nodes/InspectionService/domain/template/question.ts';
import { isOfTemplate } from '../../nodes/InspectionService/domain/template/templateOfInspection.ts';
import { questionsOf } from '../../nodes/InspectionService/domain/template/templateQuestions.ts';
import { timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';
import { trimmedEnd } from '../../nodes/InspectionService/domain/trimmedEnd.ts';

/** Work on a text from outside, whatever it gives or throws. */
export type TextWork = (text: string) => unknown;

/** `feeds`: called with long texts. `because`: why there is nothing to feed; `within` names the case that feeds it. */
export type GrowthCase = { feeds: TextWork } | { because: string };

const feeds = (work: TextWork): GrowthCase => ({ feeds: work });
const because = (reason: string): GrowthCase => ({ because: reason });
const within = (name: string) => because(`fed by ${name}`);

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
		isMultiline: false,
		placeholder: '',
		section: null,
		group: null,
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

const FORM = templateForm(templateWith('Label'));

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
		shownValue: feeds((text) => [answer.shownValue(text), answer.shownValue([text])]),
	},
	'answer/answerCheck.ts': { checkAnswers: within('createRequest') },
	'answer/answerKeys.ts': {
		answerKeysOf: feeds((text) =>
			answerKeys.answerKeysOf(questionsOf(templateWith(text))).find(text),
		),
		keysAmong: within('answerKeysOf'),
		columnOf: because('picks a member'),
	},
	'answer/answerMapping.ts': {
		mapItem: feeds((text) => answerMapping.mapItem(FORM, { [text]: 'x', Label: text, q: text })),
		mapColumns: feeds((text) =>
			answerMapping.mapColumns(FORM, { [text]: text, 'section:s': text }, new Map([[text, text]])),
		),
	},
	'answer/choiceCell.ts': {
		choiceJoiner: feeds((text) => [
			choiceJoiner(CHOICES)([text, 'Yes']),
			choiceJoiner([])([text, 'a']),
			choiceJoiner([text, 'a'])([text, 'a']),
		]),
	},
	'answer/choiceIndex.ts': {
		choiceIndex: feeds((text) => choiceIndex.choiceIndex([text, `${text} `]).find(text)),
	},
	'answer/choiceParts.ts': {
		separatorsIn: feeds(choiceParts.separatorsIn),
		partsOf: feeds(choiceParts.partsOf),
		quotedAt: feeds((text) => {
			const parts = choiceParts.partsOf(text);
			return parts.map((_, at) => choiceParts.quotedAt(text, parts, at));
		}),
	},
	'answer/choiceText.ts': {
		readChoices: feeds((text) => [
			readChoices(text, []),
			readChoices(text, CHOICES),
			readChoices(`${text},Yes`, [text, 'Yes']),
			readChoices([text], [text.slice(1), text]),
		]),
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
		dateCure: because('takes a format that the user has typed into the node'),
	},
	'answer/decimalText.ts': {
		decimalFromText: feeds((text) => [
			decimalText.decimalFromText(text, 'comma'),
			decimalText.decimalFromText(text, 'point'),
		]),
		decimalCure: because('words of a message'),
	},
	'answer/numberText.ts': {
		canonicalNumber: feeds(numberText.canonicalNumber),
		numberFromText: feeds(numberText.numberFromText),
	},
	'answer/sameAnswer.ts': {
		meansSame: feeds((text) =>
			ANSWERABLE_TYPES.map((type) =>
				sameAnswer.meansSame(question(type), text, `${text} `, READING),
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
	'answer/instanceKeys.ts': {
		instanceKeysOf: feeds((text) => {
			const { questions } = questionsOf(templateWith(text));
			const keys = instanceKeysOf(text, questions);
			return [keys.find(text), keys.groupsBy(text), keys.groupsBy('p')];
		}),
	},
	'answer/keyIndex.ts': {
		KeyIndex: within('answerKeysOf and instanceKeysOf'),
		asItIs: because('hands back what it is given'),
	},
	'answer/sectionExample.ts': {
		sectionExample: feeds((text) => sectionExample(questionsOf(templateWith(text)).questions)),
	},
	'answer/storedResponse.ts': {
		storedResponsesOf: feeds((text) => storedResponsesOf(inspectionWith(text))),
	},
	'answer/unmappedItem.ts': {
		unmappedItem: feeds((text) => unmappedItem(FORM, { [text]: text, error: text })),
	},
	'answer/templateForm.ts': { templateForm: feeds((text) => templateForm(templateWith(text))) },
	'columnName.ts': {
		withoutByteOrderMark: feeds(columnName.withoutByteOrderMark),
		plainText: feeds(columnName.plainText),
		foldName: feeds(columnName.foldName),
		foldPath: feeds(columnName.foldPath),
	},
	'composedText.ts': { composedText: feeds(composedText) },
	'create/createDetails.ts': {
		createDetails: feeds((text) => {
			const additionalFields = {
				name: text,
				teamId: text,
				createdBy: text,
				customFields: { [text]: text },
				locations: text,
			};
			const task = { title: text, priority: text, dueDateTime: text, assignee: text };
			return createDetails({ additionalFields, task }, READING);
		}),
	},
	'create/createRequest.ts': {
		createRequest: feeds((text) =>
			createRequest({
				templateId: 't',
				form: FORM,
				mapping: answerMapping.mapItem(FORM, { 'section:s': [{ q: text }, { Label: text }] }),
				details: { additionalFields: { name: text }, task: undefined },
				validate: true,
				...READING,
			}),
		),
	},
	'create/createdInspection.ts': {
		createdInspection: feeds((text) =>
			createdInspection({ ...inspectionWith(text), warnings: [text] }, [
				{ question: { ...question('text'), fieldId: asFieldId('q') }, order: 1, value: text },
			]),
		),
		lookedUpInspection: within('createdInspection'),
	},
	'create/sameName.ts': {
		sameNameAmong: feeds((text) => sameNameAmong([inspectionWith(text)], { name: text })),
	},
	'create/uniqueKey.ts': {
		uniqueKeyOf: feeds((text) => uniqueKey.uniqueKeyOf(text, text)),
		withUniqueKey: feeds((text) =>
			uniqueKey.withUniqueKey({ custom_fields: [{ name: text }] }, { field: 'k', value: text }),
		),
		keyOfInspection: feeds((text) =>
			uniqueKey.keyOfInspection({ custom_fields: [{ name: text, value: text }] }, text),
		),
		KeyedInspections: feeds((text) => {
			const kept = new uniqueKey.KeyedInspections('k', new Set([text]));
			kept.add([{ id: text, custom_fields: [{ name: 'k', value: text }] }]);
			return kept.get(text);
		}),
	},
	'create/unusedDetails.ts': {
		unusedDetails: feeds((text) => unusedDetails(FORM, { name: text, [text]: text }, {})),
	},
	'create/groupRows.ts': {
		rowNumber: because('takes a number'),
		groupRows: feeds((text) => [
			groupRows([{ [text]: text }], text),
			groupRows([{ a: text }], `['${text}']`),
		]),
	},
	'displayName.ts': {
		displayName: feeds((text) => displayName.displayName({ name: text })),
		nestedId: feeds((text) => displayName.nestedId({ id: text })),
	},
	'file/contentDisposition.ts': {
		dispositionFileName: feeds((text) => [
			dispositionFileName(text),
			dispositionFileName(`attachment; filename="${text}`),
			dispositionFileName(`attachment; filename*=UTF-8''${text}`),
		]),
	},
	'file/fileNameInItem.ts': {
		fileNameInItem: feeds((text) => fileNameInItem({ file_id: text, name: text }, text)),
	},
	'file/fileName.ts': {
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
	},
	'file/mediaType.ts': {
		statedType: feeds(mediaType.statedType),
		typeOfName: feeds(mediaType.typeOfName),
		extensionOf: feeds(mediaType.extensionOf),
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
	'list/inspectionPage.ts': {
		inspectionsOf: feeds((text) => [inspectionsOf([inspectionWith(text)]), json.parseJson(text)]),
	},
	'list/simplified.ts': { simplified: feeds((text) => simplified(inspectionWith(text))) },
	'nearestName.ts': { nearestName: feeds((text) => nearestName(text, [`${text}x`, `x${text}`])) },
	'nesting.ts': {
		isShallow: feeds((text) => nesting.isShallow(inspectionWith(text))),
		shallowCopy: feeds((text) => nesting.shallowCopy(inspectionWith(text))),
	},
	'responseShape.ts': { shapeOf: feeds((text) => shapeOf({ [text]: { [text]: text } })) },
	'row/answerRecords.ts': {
		answerRecordsOf: feeds((text) => answerRecordsOf([inspectionWith(text)], TEMPLATES)),
	},
	'row/cell.ts': {
		cellMaker: feeds((text) =>
			ANSWERABLE_TYPES.map((type) => cellMaker({ type, choices: CHOICES })([text, text])),
		),
	},
	'row/fileRecords.ts': {
		fileRecordsOf: feeds((text) => fileRecordsOf(inspectionWith(text))),
		listedName: within('fileRecordsOf'),
		fileKind: within('fileRecordsOf'),
	},
	'row/row.ts': {
		knownTemplate: within('templateForm'),
		templateKey: within('rowsOf'),
		nameOrOf: within('rowsOf'),
		rowsOf: feeds((text) =>
			rowsOf([inspectionWith(text)], TEMPLATES, {
				columnNames: 'label',
				rowPerInstanceOf: undefined,
				hasDownloads: false,
			}),
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
	'shownText.ts': {
		cleanLine: feeds((text) => shownText.cleanLine(text, text.length)),
		messageText: feeds(shownText.messageText),
		htmlText: feeds(shownText.htmlText),
		htmlList: feeds((text) => shownText.htmlList([text, text])),
	},
	'template/control.ts': {
		controlsOf: feeds((text) => control.controlsOf(templateWith(text))),
		hasControls: within('controlsOf'),
	},
	'template/templateOfInspection.ts': {
		templateIdOf: within('isOfTemplate'),
		isOfTemplate: feeds((text) => isOfTemplate({ template: { id: text } }, text)),
	},
	'template/templateQuestions.ts': {
		questionsOf: feeds((text) => questionsOf(templateWith(text))),
	},
	'timestamp.ts': {
		timestampOf: feeds((text) => [
			timestampOf(text),
			timestampOf(`2026-01-01T00:00:00.${text}Z`),
			timestampOf(`2026-01-01T00:00:00.${text}`),
		]),
	},
	'trimmedEnd.ts': { trimmedEnd: feeds((text) => trimmedEnd(text, '0')) },
};

/** Modules whose functions are not fed one by one, and why. */
export const NOT_FED: Readonly<Record<string, string>> = {
	'answer/unmatchedColumns.ts': 'looks up names of columns by nearestName',
	'create/createRequest.ts:checkedRequest': 'fed by createRequest',
	'create/mergeAnswers.ts': 'works on mapped answers; their values are compared by meansSame',
	'create/mergeDetails.ts': 'works on checked details; its texts come from createDetails',
	'create/mergeProblems.ts': 'works on messages of the node',
	'cursor/': 'works on timestamps and ids, whose texts are fed in timestamp.ts and id.ts',
	'changes/': 'works on timestamps and ids, whose texts are fed in timestamp.ts and id.ts',
	'list/': 'works on timestamps and ids; what reads outside text is fed above',
	'request/':
		'texts of responses are bounded by the transport and fed in serviceWords.ts and shownText.ts',
	'file/unencryptedUrl.ts': 'lets the URL class read a URL',
	'mapConcurrently.ts': 'hands elements on as they are',
	'row/chosenFields.ts': 'picks members by their names',
	'row/instanceSection.ts': 'compares one name with the names of sections',
	'row/placedAnswer.ts': 'fed by rowsOf and answerRecordsOf',
	'row/rowCells.ts': 'fed by rowsOf',
	'row/rowColumns.ts': 'fed by rowsOf',
	'rowKeys.ts': 'looks names up in a set',
	'rowProblems.ts': 'works on messages of the node',
	'shownText.ts:plainText': 'takes HTML that this package has made',
	'timestamp.ts': 'the other functions work on what timestampOf has made',
	'unexpectedResponse.ts': 'carries a text',
};
