/** The requests whose admission is explained, and who is told. */
import type { ExplainAdmission } from '../contract/index.js';
import type { ApiRequest } from './api-request.js';

const told = new WeakMap<ApiRequest, ExplainAdmission>();

/** Has the steps of a request's admission told. */
export const explainRequest = (request: ApiRequest, explain: ExplainAdmission): void => void told.set(request, explain);

/** The one who is told of them; absent for nearly all requests. */
export const explainerOf = (request: ApiRequest): ExplainAdmission | undefined => told.get(request);
