/** n8n's three poll engines (2.41); what each keeps of a poll's state differs. Its administrator chooses one. */
export const POLL_ENGINES = ['memory', 'scheduler', 'durableCursors'] as const;
export type PollEngine = (typeof POLL_ENGINES)[number];

const SCHEDULER_ENV = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** Environment variables of n8n that choose it; its own default is `memory`. */
export const ENGINE_ENV: Record<PollEngine, Record<string, string>> = {
	memory: {},
	scheduler: SCHEDULER_ENV,
	durableCursors: { ...SCHEDULER_ENV, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' },
};
