/** The backend over unstorage drivers. */
export { type UnstorageOptions, unstorageBackend } from './backend.js';
export { type DriverOptions, type OpenDriver, openDriver } from './drivers.js';
export type { OwnershipTiming } from './ownership.js';
