import * as pino from 'pino';
import { describe, expect, it } from 'vitest';
import { jsonLog, type Log, type LogLevel, textLog } from '../../../../bin/serve/log.js';

interface Written {
  readonly log: Log;
  readonly lines: string[];
}

function open(format: 'text' | 'json', level: LogLevel = 'info'): Written {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  return { log: format === 'text' ? textLog(level, write) : jsonLog(pino, level, { write }), lines };
}

const record = {
  auditId: 'b7a1',
  method: 'GET',
  verb: 'list',
  target: '/api/v1/pods?limit=5',
  code: 200,
  seconds: 0.0123,
  user: 'jane@example.com',
};

const secret = 's3cr3tvalue0123456789abcd';
const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJl';

/** Texts from errors of libraries and of users, and the parts that must not remain. */
const secrets: readonly (readonly [string, string])[] = [
  [`Authorization: Bearer ${secret}`, secret],
  [`authorization=Basic ${secret}`, secret],
  [`{"authorization":"Bearer ${secret}"}`, secret],
  [`the token ${jwt} has expired`, jwt],
  [`could not reach https://admin:${secret}@db.example.com/x`, secret],
  [`GET /x?access_token=${secret}&limit=1 failed`, secret],
  [`client_secret=${secret}`, secret],
  [`{"password": "${secret} with blanks"}`, secret],
  [`id_token: ${secret}`, secret],
  ['bootstrap token abcdef.0123456789abcdef is not known', 'abcdef.0123456789abcdef'],
  [`Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.${secret}`, secret],
  [`-----BEGIN EC PRIVATE KEY-----\n${secret}\n-----END EC PRIVATE KEY-----`, secret],
  [`cookie: session=${secret}`, secret],
  [`api-key=${secret}`, secret],
];

describe.each(['text', 'json'] as const)('a log in %s', (format) => {
  it.each(secrets)('has no secrets of %j', (text, hidden) => {
    const { log, lines } = open(format);
    log.problem(text);
    log.problem('it failed', new Error(text, { cause: new Error(text) }));
    log.problem('it failed', text);
    log.request({ ...record, target: `/x?${text}` });
    expect(lines).toHaveLength(4);
    expect(lines.join('')).not.toContain(hidden);
  });

  it('is one line for a request, whatever its user is called', () => {
    const { log, lines } = open(format);
    log.request({ ...record, user: 'a b\nkindforge: forged' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toContain('\n');
  });

  it.each([
    ['info', 3],
    ['warn', 2],
    ['error', 1],
  ] as const)('of level %s has %d of three lines', (level, count) => {
    const { log, lines } = open(format, level);
    log.request(record);
    log.problem('a warning');
    log.problem('an error', new Error('thrown'));
    expect(lines).toHaveLength(count);
  });
});

it('text is for people', () => {
  const { log, lines } = open('text');
  log.problem('the definition is wrong');
  log.request(record);
  log.request({ ...record, verb: '', user: '' });
  log.failure('the port is in use');
  expect(lines).toEqual([
    'kindforge: the definition is wrong\n',
    'kindforge: GET /api/v1/pods?limit=5 200 12.3 ms list jane@example.com b7a1\n',
    'kindforge: GET /api/v1/pods?limit=5 200 12.3 ms - - b7a1\n',
    'kindforge: the port is in use\n',
  ]);
});

it('JSON is for programs', () => {
  const { log, lines } = open('json');
  log.request(record);
  log.problem('it failed', new Error('thrown'));
  log.failure('the port is in use');
  const [request, problem, failure] = lines.map((line) => JSON.parse(line));
  expect(request).toEqual({ level: 'info', time: expect.any(String), msg: 'request', ...record });
  expect(problem).toMatchObject({ level: 'error', msg: 'it failed', error: expect.stringContaining('Error: thrown') });
  expect(failure).toMatchObject({ level: 'fatal', msg: 'the port is in use' });
});
