import { buildConnector } from '#scripts/setup.mjs';

/** Builds `dist` before tests that load it, if a source has changed since. */
export default buildConnector;
