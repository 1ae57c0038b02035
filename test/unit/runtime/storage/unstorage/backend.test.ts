/** Backends over unstorage drivers, without a store. */
import { afterAll, beforeAll, describe } from 'vitest';
import { testBackend } from '../../../../support/backend-suite.js';
import { type StartedDriver, testedDrivers } from '../../../../support/unstorage-drivers.js';

for (const { name, isThere, start } of testedDrivers) {
  describe.runIf(isThere)(name, () => {
    let started: StartedDriver;
    beforeAll(async () => {
      started = await start();
    });
    afterAll(() => started.stop());

    testBackend(`unstorage on ${name}`, () => started.harness());
  });
}
