/** Codes that sign in to the console, and the sessions that they begin. */
import { describe, expect, it } from 'vitest';
import { codeLifeMs, defineConsoleSessions } from '../../../../plugins/index.js';

function sessionsAt(start: number) {
  let now = start;
  const sessions = defineConsoleSessions(() => now);
  const userOf = (token: string): string | undefined => {
    const answer = sessions.authenticator.authenticate({ headers: { authorization: `Bearer ${token}` } });
    return answer && 'user' in answer ? answer.user.name : undefined;
  };
  return {
    sessions,
    userOf,
    later: (ms: number) => {
      now += ms;
    },
  };
}

describe('a code for the console', () => {
  it('begins one session of the administrator, and no second one', () => {
    const { sessions, userOf } = sessionsAt(1_000);
    const code = sessions.newCode();
    const session = sessions.begin(code);
    expect(userOf(session?.token ?? '')).toBe('system:admin');
    expect(sessions.begin(code)).toBeUndefined();
  });

  it('works for two minutes', () => {
    const { sessions, later } = sessionsAt(1_000);
    const [early, late] = [sessions.newCode(), sessions.newCode()];
    later(codeLifeMs - 1);
    expect(sessions.begin(early)).toBeDefined();
    later(1);
    expect(sessions.begin(late)).toBeUndefined();
  });

  it('is not a token itself, and unknown codes begin nothing', () => {
    const { sessions, userOf } = sessionsAt(1_000);
    const code = sessions.newCode();
    expect(userOf(code)).toBeUndefined();
    expect(sessions.begin('')).toBeUndefined();
    expect(sessions.begin(`${code}x`)).toBeUndefined();
    expect(sessions.begin(code)).toBeDefined();
  });

  it('begins a session that ends after twelve hours', () => {
    const { sessions, userOf, later } = sessionsAt(1_000);
    const { token = '', expiresAt = 0 } = sessions.begin(sessions.newCode()) ?? {};
    expect(expiresAt).toBe(1_000 + 12 * 3_600_000);
    later(12 * 3_600_000 - 1);
    expect(userOf(token)).toBe('system:admin');
    later(1);
    expect(userOf(token)).toBeUndefined();
  });

  it('expires once there are a hundred newer ones', () => {
    const { sessions } = sessionsAt(1_000);
    const [first, second] = [sessions.newCode(), sessions.newCode()];
    for (let made = 0; made < 99; made++) sessions.newCode();
    expect(sessions.begin(first)).toBeUndefined();
    expect(sessions.begin(second)).toBeDefined();
  });
});
