/** How n8n runs polling triggers; what each keeps of a poll's state differs. */
export type PollEngine = 'memory' | 'scheduler' | 'durableCursors';

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
