/** Reading the health checks of a server. */
import { describe, expect, it } from 'vitest';
import { checksOf, readHealth } from '../../../../packages/console/src/metrics/health.js';

/** Reads from a table of answers: a text, or an error. */
const readFrom =
  (answers: Readonly<Record<string, string | Error>>) =>
  async (path: string): Promise<string> => {
    const answer = answers[path];
    if (typeof answer === 'string') return answer;
    throw answer ?? new Error('not found');
  };

const fine = '[+]ping ok\n[+]storage ok\nreadyz check passed\n';

describe('health checks', () => {
  it('are read with failing ones first, and their reasons', () => {
    expect(checksOf('[+]ping ok\n[-]storage failed: disk full\nreadyz check failed\n')).toEqual([
      { name: 'storage', isGood: false, text: 'disk full' },
      { name: 'ping', isGood: true, text: 'ok' },
    ]);
    expect(checksOf('ok')).toEqual([]);
  });
});

describe('the health of a server', () => {
  it('has each check once if all are good', async () => {
    const health = await readHealth(readFrom({ '/livez?verbose': '[+]ping ok\n', '/readyz?verbose': fine }));
    expect(health).toMatchObject({ isAlive: true, isReady: true });
    expect(health.checks.map(({ name }) => name)).toEqual(['ping', 'storage']);
  });

  it("names a failing check, with the reason that only the check's own page gives", async () => {
    const health = await readHealth(
      readFrom({
        '/livez?verbose': '[+]ping ok\n',
        '/readyz?verbose': new Error('[+]ping ok\n[-]storage failed: reason withheld\nreadyz check failed'),
        '/readyz/storage': new Error('internal server error: the disk is full\n'),
      }),
    );
    expect(health).toMatchObject({ isAlive: true, isReady: false });
    expect(health.checks[0]).toEqual({ name: 'storage', isGood: false, text: 'the disk is full' });
  });

  it('keeps the hidden reason if the check has passed meanwhile', async () => {
    const failing = new Error('[-]storage failed: reason withheld');
    const health = await readHealth(
      readFrom({ '/livez?verbose': fine, '/readyz?verbose': failing, '/readyz/storage': 'ok' }),
    );
    expect(health.checks[0]).toMatchObject({ name: 'storage', text: 'reason withheld' });
  });

  it('shows a check that fails for one endpoint and passes for the other as failing', async () => {
    const failing = new Error('[-]ping failed: reason withheld');
    const health = await readHealth(readFrom({ '/livez?verbose': failing, '/readyz?verbose': fine }));
    expect(health).toMatchObject({ isAlive: false, isReady: true });
    expect(health.checks.map(({ name, isGood }) => [name, isGood])).toEqual([
      ['ping', false],
      ['storage', true],
    ]);
  });

  it('is unknown if the server does not answer, or with an error without checks', async () => {
    const away = new Error('connection refused');
    await expect(readHealth(readFrom({ '/livez?verbose': fine, '/readyz?verbose': away }))).rejects.toBe(away);
  });
});
