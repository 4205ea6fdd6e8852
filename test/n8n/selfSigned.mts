import { generateKeyPairSync, sign } from 'node:crypto';

/** One value of ASN.1's DER encoding: tag, length, content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
	const bytes = Buffer.concat(content);
	const length =
		bytes.length < 128 ? [bytes.length] : [0x82, bytes.length >> 8, bytes.length & 255];
	return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}

const sequence = (...content: Uint8Array[]) => der(0x30, ...content);
const set = (...content: Uint8Array[]) => der(0x31, ...content);
const integer = (value: number) => der(0x02, Buffer.from([value]));
const bitString = (bits: Uint8Array) => der(0x03, Buffer.from([0]), bits);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utf8 = (text: string) => der(0x0c, Buffer.from(text));
const utcTime = (time: string) => der(0x17, Buffer.from(time));

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));
const COMMON_NAME = objectId('550403');

/** A certificate of a host that nobody vouches for, made anew, so that no key lies in the repository. */
export function selfSigned(host = 'test'): { key: string; cert: string } {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = sequence(set(sequence(COMMON_NAME, utf8(host))));
	const validity = sequence(utcTime('200101000000Z'), utcTime('490101000000Z'));
	const spki = publicKey.export({ type: 'spki', format: 'der' });
	const toBeSigned = sequence(integer(1), ECDSA_WITH_SHA256, name, validity, name, spki);
	const signature = bitString(sign('sha256', toBeSigned, privateKey));
	const certificate = sequence(toBeSigned, ECDSA_WITH_SHA256, signature);
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
	};
}
