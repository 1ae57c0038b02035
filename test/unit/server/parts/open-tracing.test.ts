import { describe, expect, it } from 'vitest';
import { readTraceHeaders, traceHeadersOf } from '../../../../server/parts/open-tracing.js';

const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

describe('the headers of a trace', () => {
  it('are read and written', () => {
    const headers = { traceparent: `00-${trace}-${span}-01`, tracestate: 'one=a,two=b' };
    const read = readTraceHeaders(headers);
    expect(read).toMatchObject({ traceId: trace, spanId: span, traceFlags: 1, isRemote: true });
    expect(read && traceHeadersOf(read)).toEqual(headers);
  });

  it('may be of a later version, and only the known fields are read', () =>
    expect(readTraceHeaders({ traceparent: `cc-${trace}-${span}-03-more` })).toMatchObject({ traceFlags: 1 }));

  it.each([
    '',
    `00-${trace}-${span}`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${trace}-${span}-0x`,
    `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
  ])('name no trace: %s', (traceparent) => expect(readTraceHeaders({ traceparent })).toBeUndefined());
});
