import { describe, expect, it } from 'vitest';
import { templateOf, traced } from '../../../../client/connection/tracing.js';
import type { Transport } from '../../../../client/index.js';
import { collect, rejection } from '../../../support/sdk.js';

describe('templateOf', () => {
  it.each([
    ['/api/v1/namespaces/default/configmaps/m?x=1', '/api/v1/namespaces/{namespace}/configmaps/{name}'],
    ['/api/v1/namespaces/default/pods/p/log', '/api/v1/namespaces/{namespace}/pods/{name}/log'],
    ['/api/v1/namespaces/default', '/api/v1/namespaces/{name}'],
    ['/api/v1/namespaces/default/finalize', '/api/v1/namespaces/{name}/finalize'],
    ['/apis/shop.example.com/v1/widgets', '/apis/shop.example.com/v1/widgets'],
    ['/apis/shop.example.com/v1/widgets/w/status', '/apis/shop.example.com/v1/widgets/{name}/status'],
    ['/apis/shop.example.com/v1', '/apis/shop.example.com/v1'],
    ['/apis', '/apis'],
    ['/openapi/v3', '/openapi/v3'],
  ])('writes %s as %s', (path, template) => expect(templateOf(path)).toBe(template));
});

describe('traced', () => {
  const request = { method: 'GET', path: '/api/v1/nodes', headers: { accept: 'x' } };

  function recorded(transport: Transport): { readonly transport: Transport; readonly told: unknown[] } {
    const told: unknown[] = [];
    const begin = ({ template }: { readonly template: string }) => {
      told.push(template);
      return {
        headers: { traceparent: 'here' },
        answered: (status: number) => void told.push(status),
        end: (error?: unknown) => void told.push(error ?? 'end'),
      };
    };
    return { transport: traced(transport, { begin }), told };
  }

  const answering = (chunks: () => AsyncIterable<Uint8Array>): Transport => ({
    send: ({ headers }) => {
      expect(headers).toEqual({ accept: 'x', traceparent: 'here' });
      return Promise.resolve({ status: 200, header: () => '', text: () => Promise.resolve('body'), chunks });
    },
  });

  it('records the answer, and its end', async () => {
    const { transport, told } = recorded(answering(async function* () {}));
    const response = await transport.send(request);
    expect(told).toEqual(['/api/v1/nodes', 200]);
    await response.text();
    expect(told).toEqual(['/api/v1/nodes', 200, 'end']);
    await collect((await transport.send(request)).chunks());
    expect(told.slice(3)).toEqual(['/api/v1/nodes', 200, 'end']);
  });

  it('records errors', async () => {
    const failure = new Error('broken');
    const failing = recorded({ send: () => Promise.reject(failure) });
    await rejection(failing.transport.send(request));
    expect(failing.told).toEqual(['/api/v1/nodes', failure]);
    const breaking = recorded(
      answering(async function* () {
        yield new Uint8Array();
        throw failure;
      }),
    );
    await rejection(collect((await breaking.transport.send(request)).chunks()));
    expect(breaking.told).toEqual(['/api/v1/nodes', 200, failure]);
  });
});
