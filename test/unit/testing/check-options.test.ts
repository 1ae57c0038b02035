import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../server/index.js';
import { startTestServer } from '../../../testing/index.js';

/** Starts a server with options of plain JavaScript. */
const start = (options: object): Promise<unknown> =>
  Promise.resolve(Reflect.apply(startTestServer, undefined, [options]));

describe('options', () => {
  it.each<[what: string, options: object, message: string]>([
    ['mistyped', { definition: 'x' }, 'startTestServer has no option `definition`; did you mean `definitions`?'],
    ['in other letters', { OnProblem() {} }, 'startTestServer has no option `OnProblem`; did you mean `onProblem`?'],
    [
      'within others, mistyped',
      { authentication: { tokenfile: 'x' } },
      'startTestServer has no option `authentication.tokenfile`; did you mean `authentication.tokenFile`?',
    ],
    [
      'two levels within others',
      { authentication: { serviceAccounts: { issuers: ['x'] } } },
      'startTestServer has no option `authentication.serviceAccounts.issuers`; did you mean `authentication.serviceAccounts.issuer`?',
    ],
    [
      'that belong elsewhere',
      { tokenFile: 'x' },
      'startTestServer has no option `tokenFile`; did you mean `authentication.tokenFile`?',
    ],
    [
      'that belong in two places',
      { clientCaFile: 'x' },
      'startTestServer has no option `clientCaFile`; did you mean `authentication.clientCaFile` or `authentication.requestHeader.clientCaFile`?',
    ],
    [
      'near to none',
      { faults: { chance: 1 } },
      'startTestServer has no option `faults.chance`; there are faults.seed, faults.faults',
    ],
    ['that it decides about', { storage: 'memory' }, 'startTestServer has no option `storage`: objects are in memory'],
    [
      'with names that every object inherits',
      { constructor: 1 },
      'startTestServer has no option `constructor`; there are project, definitions',
    ],
  ])('%s are refused', async (_, options, message) => {
    const error: unknown = await start(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OptionError);
    expect(error instanceof Error && error.message.startsWith(message)).toBe(true);
  });

  it('that are undefined count as absent', async () => {
    await using server = await startTestServer({ project: false, ...{ storage: undefined } });
    expect(server.url).toMatch(/^http:/);
  });

  it('of waits are refused too', async () => {
    await using server = await startTestServer({ project: false });
    const wait = (...args: readonly unknown[]): Promise<unknown> =>
      Promise.resolve(Reflect.apply(server.until, server, args));
    await expect(wait({ resource: 'configmaps', labelSelectors: 'a=b' }, () => true)).rejects.toThrow(
      'until has no option `labelSelectors`; did you mean `labelSelector`?',
    );
    await expect(wait({ resource: 'configmaps' }, () => true, { timeout: 5 })).rejects.toThrow(
      'until has no option `timeout`; did you mean `timeoutMs`?',
    );
  });
});
