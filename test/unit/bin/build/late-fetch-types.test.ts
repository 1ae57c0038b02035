/** What stands in for types of `fetch` in a build behaves like them once it is used. */
import { describe, expect, it } from 'vitest';
import { Headers, Request, Response } from '../../../../bin/build/late-fetch-types.js';

describe('Headers', () => {
  it('are those of Node once they are looked at', () => {
    const headers = new Headers({ Accept: 'text/plain' });
    headers.append('accept', 'text/html');
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    headers.set('x-one', '1');
    headers.set('x-two', '2');
    headers.delete('x-two');
    expect(headers.get('ACCEPT')).toBe('text/plain, text/html');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect([headers.has('x-one'), headers.has('x-two')]).toEqual([true, false]);
    expect([...headers.keys()]).toEqual(['accept', 'set-cookie', 'set-cookie', 'x-one']);
    expect([...headers.values()]).toEqual(['text/plain, text/html', 'a=1', 'b=2', '1']);
    const seen: string[] = [];
    headers.forEach((value, name) => {
      seen.push(`${name}: ${value}`);
    });
    expect(seen).toEqual([...headers].map(([name, value]) => `${name}: ${value}`));
  });

  it('can be given to the ones of Node, and made of them', () => {
    const given = new globalThis.Headers(new Headers({ a: '1' }));
    expect([...given]).toEqual([['a', '1']]);
    expect([...new Headers(given)]).toEqual([['a', '1']]);
  });

  it('leave out no method', () => {
    const said = new Set(Object.getOwnPropertyNames(Headers.prototype));
    const names = Object.getOwnPropertyNames(globalThis.Headers.prototype);
    expect(names.filter((name) => !said.has(name))).toEqual([]);
    expect(names).toContain('getSetCookie');
  });

  it('counts both kinds as instances', () => {
    const values = [new Headers(), new globalThis.Headers(), new Map(), undefined];
    expect(values.map((value) => value instanceof Headers)).toEqual([true, true, false, false]);
  });
});

describe('Request and Response', () => {
  it('make those of Node', () => {
    const response = new Response('made', { status: 201 });
    expect(response).toBeInstanceOf(globalThis.Response);
    expect(response).toBeInstanceOf(Response);
    const request: unknown = new Request('http://localhost/made');
    expect(request instanceof globalThis.Request && request.url).toBe('http://localhost/made');
  });

  it('count objects of derived classes as instances', () => {
    const derived = Object.create(Response.prototype);
    expect([derived instanceof Response, {} instanceof Response]).toEqual([true, false]);
  });
});
