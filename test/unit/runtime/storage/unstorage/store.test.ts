/** The embedded store on backends over unstorage drivers. */
import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../../../../runtime/storage/index.js';
import { faulty } from '../../../../support/faulty-backend.js';
import { readAttributes } from '../../../../support/store-objects.js';
import { modelTests } from '../../../../support/store-suite/model.js';
import { type StoreHarness, testStore } from '../../../../support/store-suite.js';
import { type StartedDriver, testedDrivers } from '../../../../support/unstorage-drivers.js';

const traits = { persistent: true, durableHistory: true };

for (const { name, isThere, start } of testedDrivers) {
  describe.runIf(isThere)(name, () => {
    let started: StartedDriver;
    beforeAll(async () => {
      started = await start();
    });
    afterAll(() => started.stop());

    /** Opens stores on new data. `cramped`: with hardly any history, and a journal that is always being cleaned. */
    async function harness(cramped: boolean): Promise<StoreHarness> {
      const { create, dispose } = await started.harness();
      const history = cramped ? { historyMaxBytes: 3000 } : {};
      let fail = (): void => {};
      return {
        async open(options) {
          const faults = faulty(await create(cramped ? { slackBytes: 500 } : {}));
          fail = () => faults.failNext(1);
          return openStore({ backend: faults.backend, readAttributes, ...history, ...options });
        },
        fail: () => fail(),
        dispose,
      };
    }

    testStore(`unstorage on ${name}`, () => harness(false), traits);

    describe(`${name} with little room`, () => {
      modelTests(() => harness(true), traits);
    });
  });
}
