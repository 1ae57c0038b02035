import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../client/index.js';
import type { TransportRequest, TransportResponse } from '../../../../client/transport.js';
import { connectToCluster, postTo } from '../../../../server/aggregated/cluster-client.js';

type Send = (request: TransportRequest) => Promise<TransportResponse>;

const posting = (send: Send, timeoutMs = 1000) =>
  postTo({ requester: { transport: { send } }, url: 'https://c', timeoutMs }, '/reviews');

const answer = (status: number, text: string): TransportResponse => ({
  ...{ status, header: () => '', text: async () => text },
  chunks: async function* () {},
});

describe('a post of a review', () => {
  it('returns the text of a good answer', async () => {
    const bodies: unknown[] = [];
    const post = posting(async ({ method, path, body }) => {
      bodies.push([method, path, body]);
      return answer(201, 'yes');
    });
    expect(await post('{}')).toEqual({ ok: true, text: 'yes' });
    expect(bodies).toEqual([['POST', '/reviews', '{}']]);
  });

  it('returns the code of any other answer', async () => {
    const problem = 'Post "https://c/reviews": the cluster answers with 403';
    expect(await posting(async () => answer(403, 'no'))('{}')).toEqual({ ok: false, problem });
  });

  it('is sent once more if the connection broke, and not a third time', async () => {
    let sent = 0;
    const post = posting(async () => {
      sent++;
      throw new ConnectionError('no answer from https://c', new Error('reset'));
    });
    const problem = 'Post "https://c/reviews": no answer from https://c: reset';
    expect(await post('{}')).toEqual({ ok: false, problem });
    expect(sent).toBe(2);
  });

  it('ends after its time if the cluster hangs', async () => {
    const hanging: Send = ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const problem = 'Post "https://c/reviews": no answer in 0.05 s';
    expect(await posting(hanging, 50)('{}')).toEqual({ ok: false, problem });
  });
});

describe('the way to the cluster', () => {
  it('is an existing kubeconfig', () =>
    expect(() => connectToCluster({ kubeconfig: 'missing' })).toThrow(
      /^aggregated needs a way to the cluster; set aggregated.kubeconfig: no kubeconfig at missing/,
    ));
});
