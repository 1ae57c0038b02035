/** Values in the notation of Go become JSON. */
import { describe, expect, it } from 'vitest';
import { sourceAsJson } from '../../../../runtime/objects/printed-source.js';

describe('printed values as JSON', () => {
  it.each([
    ['[]string{"a", "b<c"}', '["a","b\\u003cc"]'],
    ['[]string(nil)', 'null'],
    ['0x0', '0'],
    ['[]byte{0x61, 0x62}', '"YWI="'],
    ['map[string]interface {}{"a":1, "b":[]interface {}{true, interface {}(nil)}}', '{"a":1,"b":[true,null]}'],
    ['core.Toleration{Key:"a", TolerationSeconds:(*int64)(nil)}', '{"Key":"a","TolerationSeconds":null}'],
    [
      'v1.LabelSelector{MatchLabels:map[string]string{"a":"b"}, MatchExpressions:[]v1.X(nil)}',
      '{"matchLabels":{"a":"b"}}',
    ],
    ['"\\x01\\v"', '"\\u0001\\u000b"'],
    ['"\\\\x01 \\U000e0001"', '"\\\\x01 \u{e0001}"'],
  ])('reads %s', (source, json) => {
    expect(sourceAsJson(source)).toBe(json);
  });

  it.each(['core.X{a', '2001-01-01 00:00:00 +0000 UTC', '{', ''])('does not change %j', (text) => {
    expect(sourceAsJson(text)).toBe(text);
  });
});
