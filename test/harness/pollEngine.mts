/**
 * The three engines with which n8n (2.41) can run polls. They differ in how they save a node's state. n8n's
 * administrator selects one.
 */
export const POLL_ENGINES = ['memory', 'scheduler', 'durableCursors'] as const;
export type PollEngine = (typeof POLL_ENGINES)[number];

const SCHEDULER_ENV = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** The environment variables that make n8n use each poll engine. `memory` is the default. */
export const ENGINE_ENV: Record<PollEngine, Record<string, string>> = {
	memory: {},
	scheduler: SCHEDULER_ENV,
	durableCursors: { ...SCHEDULER_ENV, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' },
};
