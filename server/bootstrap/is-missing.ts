/** Tells whether an object is not there, or objects of its kind are not served at all. */
import { ApiError } from '../../client/index.js';

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 404;
