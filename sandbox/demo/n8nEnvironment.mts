/** How n8n runs polling triggers; what each keeps of a poll's state differs. */
export type PollEngine = 'memory' | 'scheduler' | 'durableCursors';

const { PATH, HOME, TMPDIR } = process.env;

/**
 * Of the developer's own environment only what a program needs to run at all. Nothing goes to the outside, nothing is
 * loaded that the connector cannot meet (each module costs start time).
 */
export const OWN_ENV = {
	PATH,
	HOME,
	TMPDIR,
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_AI_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	N8N_DISABLED_MODULES:
		'mcp-registry,mcp,instance-ai,agents,agent-evals,chat-hub,insights,external-secrets,ldap,log-streaming,instance-reporting,instance-version-history,otel,oauth-server,quick-connect,workflow-builder,breaking-changes',
	GENERIC_TIMEZONE: 'UTC',
};

const SCHEDULER_ENV = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

export const ENGINE_ENV: Record<PollEngine, Record<string, string>> = {
	memory: {},
	scheduler: SCHEDULER_ENV,
	durableCursors: { ...SCHEDULER_ENV, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' },
};
