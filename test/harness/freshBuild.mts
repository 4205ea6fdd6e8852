import { buildConnector } from '#scripts/freshBuild.mts';

/** Builds `dist` before tests that load it, if a source is newer. */
export default buildConnector;
