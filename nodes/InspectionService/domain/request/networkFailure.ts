import { cleanLine } from '../shownText';

/** What a code of Node, OpenSSL or axios means to the person who reads it. */
interface Meaning {
	/** Completes "The service could not be reached: …". */
	what: string;
	cure: string;
	/** True where a retry does not help, because somebody has to change a setting. */
	lasting: boolean;
	/** True where no byte of the request can have been sent. */
	unsent: boolean;
}

const CHECK_BASE_URL = 'Check the base URL in the credential.';
const CHECK_CERTIFICATE =
	'Ask whoever runs the service for a valid certificate, or give its certificate authority to n8n (NODE_EXTRA_CA_CERTS). Check also that the base URL in the credential has the right host name.';
const CHECK_THE_WAY =
	'Such trouble often passes by itself. If it stays, check the base URL in the credential, and the proxy and firewall between n8n and the service.';

const dns = (what: string): Meaning => ({
	what,
	cure: `${CHECK_BASE_URL} If it is right, n8n's server cannot resolve the name: check its DNS.`,
	lasting: false,
	unsent: true,
});
const connecting = (what: string): Meaning => ({
	what,
	cure: CHECK_THE_WAY,
	lasting: false,
	unsent: true,
});
const certificate = (what: string): Meaning => ({
	what,
	cure: CHECK_CERTIFICATE,
	lasting: true,
	unsent: true,
});
const afterSending = (what: string): Meaning => ({
	what,
	cure: CHECK_THE_WAY,
	lasting: false,
	unsent: false,
});

/** The codes that people meet, and families of codes; the first that fits counts. */
const MEANINGS: readonly (readonly [code: RegExp, meaning: Meaning])[] = [
	[/^ENOTFOUND$/, dns('no server of that name was found')],
	[/^EAI_/, dns('its host name could not be looked up')],
	[
		/^ECONNREFUSED$/,
		connecting('the connection was refused, nothing listens at that address and port'),
	],
	[/^E(?:HOST|NET)(?:UNREACH|DOWN)$/, connecting('there is no way to its host')],
	[
		/^(?:EACCES|EPERM|E[MN]FILE|EADDRNOTAVAIL)$/,
		connecting("n8n's server can open no connection to it"),
	],
	[/^CERT_HAS_EXPIRED$/, certificate('its certificate has expired')],
	[/SELF_SIGNED/, certificate('its certificate is self-signed, so n8n does not trust it')],
	[
		/^UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)/,
		certificate('its certificate comes from an authority that n8n does not know'),
	],
	[/ALTNAME_INVALID$/, certificate('its certificate is for another host name')],
	[/^CERT_/, certificate('n8n does not trust its certificate')],
	[/^(?:ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT)$/, afterSending('it did not respond in time')],
	[
		/^(?:ECONNRESET|EPIPE|ERR_BAD_RESPONSE|ERR_STREAM_PREMATURE_CLOSE|Z_BUF_ERROR)$/,
		afterSending('the connection was closed before the response was complete'),
	],
	[/^ERR_FR_TOO_MANY_REDIRECTS$/, afterSending('it redirects without an end')],
];

/** OpenSSL's words for a failed handshake. The request would be sent only after the handshake. */
const HANDSHAKE =
	/wrong version number|handshake|unsupported protocol|packet length too long|unrecognized name|http request/i;
/** Node's words for a connection that ended before it was encrypted. */
const BEFORE_TLS = /before secure TLS connection was established/i;

const NO_TLS: Meaning = {
	what: 'no encrypted connection could be made',
	cure: 'Check that the base URL in the credential has the right port, and http:// or https:// as the service wants it.',
	lasting: true,
	unsent: true,
};
/** For bytes that Node's HTTP parser refuses: another program listens at that port. */
const NO_HTTP: Meaning = {
	what: 'what came back is not HTTP',
	cure: 'Check that the base URL in the credential has the right port, and http:// or https:// as the service wants it.',
	lasting: false,
	unsent: false,
};
const UNKNOWN = afterSending('the connection failed');
/** Characters that are shown of the message of a failure without a known code. About two sentences. */
const MAX_DETAIL = 200;

export interface NetworkTrouble {
	/** Node's or axios' code, '' where there is none. */
	code: string;
	/** The error's own message. */
	detail: string;
	/** The system call that failed, as Node names it. */
	syscall?: string;
}

/** What a failure of the network means. The request counts as sent, unless it is certain that it was not. */
export function meaningOf({ code, detail, syscall }: NetworkTrouble): Meaning {
	if (code === 'ETIMEDOUT' && syscall === 'connect') {
		return connecting('the connection could not be made in time');
	}
	if (BEFORE_TLS.test(detail)) {
		return connecting('the connection was closed before it was encrypted');
	}
	if (/^(EPROTO|ERR_SSL_)/.test(code) && HANDSHAKE.test(`${code.replaceAll('_', ' ')} ${detail}`)) {
		return NO_TLS;
	}
	const [, known] = MEANINGS.find(([pattern]) => pattern.test(code)) ?? [];
	const meaning = known ?? (code.startsWith('HPE_') ? NO_HTTP : unknown(detail));
	const connected = syscall === 'read' || syscall === 'write';
	return connected ? { ...meaning, unsent: false } : meaning;
}

function unknown(detail: string): Meaning {
	const words = cleanLine(detail, MAX_DETAIL);
	return words === '' ? UNKNOWN : { ...UNKNOWN, what: `${UNKNOWN.what}: ${words}` };
}
