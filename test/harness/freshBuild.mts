import { buildConnector } from '#scripts/freshBuild.mts';

/** A global setup of Vitest. It builds `dist` if a source file is newer, because the tests load `dist`. */
export default async (): Promise<void> => buildConnector();
