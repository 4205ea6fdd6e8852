import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

/** Any place of n8n that a request can start from. */
export type ServiceContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;
