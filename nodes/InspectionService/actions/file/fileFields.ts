import { optionsCollection, propertiesOf, required, text, toggle } from '../../fields/field';
import { FILE_REFERENCE } from '../../fields/locators';
import type { OperationDescription } from '../action';

export const DOWNLOAD_FIELDS = {
	...FILE_REFERENCE,
	binaryPropertyName: required(
		text({
			displayName: 'Put Output File in Field',
			default: 'data',
			hint: 'The name of the output field that contains the file',
		}),
		"The field 'Put Output File in Field' is empty. Enter a name, for example data",
	),
	fileName: text({
		displayName: 'File Name',
		placeholder: 'e.g. photo.jpg',
		description: 'Name of the file, or empty for its own name',
	}),
	options: optionsCollection({
		includeOtherFields: toggle({
			displayName: 'Include Other Input Fields',
			description: 'Whether to include all fields of the input item in the output',
		}),
	}),
};

export const downloadDescription: OperationDescription = {
	resource: 'file',
	option: {
		name: 'Download',
		value: 'download',
		action: 'Download a file',
		description: 'Download a photo, video, recording, attachment, or signature of an inspection',
	},
	fields: propertiesOf(DOWNLOAD_FIELDS),
};

/** Get URL returns a signed URL. Anyone who has the URL can read the file until the URL expires. */
export const getUrlDescription: OperationDescription = {
	resource: 'file',
	option: {
		name: 'Get URL',
		value: 'getUrl',
		action: 'Get a file link',
		description: 'Get a download URL that works for a short time without the API key',
	},
	fields: propertiesOf(FILE_REFERENCE),
};
