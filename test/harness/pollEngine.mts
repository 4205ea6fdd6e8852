/** n8n's three poll engines (2.41), which save a poll's state differently. n8n's administrator chooses one. */
export const POLL_ENGINES = ['memory', 'scheduler', 'durableCursors'] as const;
export type PollEngine = (typeof POLL_ENGINES)[number];

const SCHEDULER_ENV = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** n8n's environment variables that choose it. The default is `memory`. */
export const ENGINE_ENV: Record<PollEngine, Record<string, string>> = {
	memory: {},
	scheduler: SCHEDULER_ENV,
	durableCursors: { ...SCHEDULER_ENV, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' },
};
