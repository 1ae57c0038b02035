/** Servers for tests; published as `kindforge/testing`. */

export type { Faults } from './faults/faults.js';
export type { FaultRecording, RecordedFault } from './faults/recording.js';
export type {
  DroppedFault,
  Fault,
  FaultCount,
  FaultRule,
  FaultSelector,
  FaultStatus,
  SlowFault,
  StatusFault,
  WatchFault,
} from './faults/rule.js';
export type { Definition } from './load-definitions.js';
export { useTestServer } from './node.js';
export type { TestServerOptions } from './options.js';
export { startTestServer } from './start-test-server.js';
export { type Moment, TestClock } from './test-clock.js';
export type { TestServer, TestUser } from './test-server.js';
export { type UntilObject, type UntilOptions, type UntilSelector, UntilTimeoutError } from './until.js';
export { type TestServerFixtures, testServerFixtures, type WithTestServer } from './vitest.js';
