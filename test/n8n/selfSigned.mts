import { generateKeyPairSync, sign } from 'node:crypto';

/** One value of ASN.1's DER encoding: tag, length, content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
	const bytes = Buffer.concat(content);
	const length =
		bytes.length < 128 ? [bytes.length] : [0x82, bytes.length >> 8, bytes.length & 255];
	return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8 = 0x0c;
const UTC_TIME = 0x17;

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'));

/** A certificate of a host that nobody vouches for, made anew, so that no key lies in the repository. */
export function selfSigned(host = 'test'): { key: string; cert: string } {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(host)))));
	const validity = der(
		SEQUENCE,
		der(UTC_TIME, Buffer.from('200101000000Z')),
		der(UTC_TIME, Buffer.from('490101000000Z')),
	);
	const toBeSigned = der(
		SEQUENCE,
		der(INTEGER, Buffer.from([1])),
		ECDSA_WITH_SHA256,
		name,
		validity,
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', toBeSigned, privateKey));
	const certificate = der(SEQUENCE, toBeSigned, ECDSA_WITH_SHA256, signature);
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
	};
}
