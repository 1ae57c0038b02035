import { describe, expect, test } from 'vitest';
import { channels, endOf, tokenProtocol, toMessage, wordsOf } from '../../../../packages/console/src/object/exec.js';
import { readToken } from '../../../../runtime/http/websocket.js';

describe('tokenProtocol', () => {
  test.each(['authorization.k8s.io', 'authorization.platform.io'])(
    'contains a token that the server can read (%s)',
    (group) => {
      for (const token of ['boss-token', 'eyJ.a-b_c.==', '>>>???']) {
        const header = ['v5.channel.k8s.io', tokenProtocol(group, token)].join(', ');
        expect(readToken(header, `base64url.bearer.${group}.`)).toEqual({ ok: true, value: token });
      }
    },
  );
});

test('a message begins with its channel', () => {
  expect([...toMessage(channels.input, 'lä')]).toEqual([0, 0x6c, 0xc3, 0xa4]);
  expect([...toMessage(channels.close, '')]).toEqual([255]);
});

describe('wordsOf', () => {
  test.each([
    ['', []],
    ['  ', []],
    ['sh', ['sh']],
    [' ls  -l\t/tmp ', ['ls', '-l', '/tmp']],
    [`sh -c 'echo "a b"'`, ['sh', '-c', 'echo "a b"']],
    [`a"b c"d ''`, ['ab cd', '']],
    [String.raw`a\ b "c\"d" "\n"`, ['a b', 'c"d', String.raw`\n`]],
    [`it's`, [`it's`]],
  ])('splits %j', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });
});

describe('endOf', () => {
  const failed = (details: unknown) => JSON.stringify({ status: 'Failure', message: 'command failed', details });

  test.each([
    ['success', '{"status":"Success"}', { code: 0, text: '' }],
    [
      'an exit code',
      failed({ causes: [{ reason: 'ExitCode', message: '127' }] }),
      { code: 127, text: 'command failed' },
    ],
    ['no exit code', failed(null), { code: undefined, text: 'command failed' }],
    ['text', 'broken pipe', { code: undefined, text: 'broken pipe' }],
  ])('reads %s', (_, text, end) => {
    expect(endOf(text)).toEqual(end);
  });
});
