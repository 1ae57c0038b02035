/** The part of the session that this tab keeps. It ends with the tab. */

/** An identity provider, and the client registered there for the server. */
export interface Login {
  readonly issuer: string;
  readonly clientId: string;
}

/** The means to get another token of the same user from the provider. */
export interface Renewal extends Login {
  readonly tokenEndpoint: string;
  readonly refreshToken: string;
  readonly subject: string;
}

/** A sign-in in progress at the provider. */
export interface PendingLogin extends Login {
  readonly tokenEndpoint: string;
  readonly state: string;
  readonly nonce: string;
  /** The secret of the challenge (RFC 7636). */
  readonly verifier: string;
  /** The address of the page that asked for it. */
  readonly returnTo: string;
}

const key = 'kindforge-token';

/** The bearer token. */
export const keptToken = {
  read: (): string | undefined => sessionStorage.getItem(key) ?? undefined,
  write: (token: string): void => sessionStorage.setItem(key, token),
  drop: (): void => sessionStorage.removeItem(key),
};

export const keptRenewal = kept<Renewal>('kindforge-renewal', [
  'issuer',
  'clientId',
  'tokenEndpoint',
  'refreshToken',
  'subject',
]);

const pending = kept<PendingLogin>('kindforge-login', [
  'issuer',
  'clientId',
  'tokenEndpoint',
  'state',
  'nonce',
  'verifier',
  'returnTo',
]);

export const pendingLogin = {
  ...pending,
  /** Returns the sign-in, once. */
  take(): PendingLogin | undefined {
    const found = pending.read();
    pending.write(undefined);
    return found;
  },
};

interface Kept<T> {
  read(): T | undefined;
  /** Keeps a value, or drops it. */
  write(value: T | undefined): void;
}

/** Keeps an object with texts as its fields. */
function kept<T extends object>(name: string, fields: readonly (keyof T & string)[]): Kept<T> {
  const isWhole = (value: unknown): value is T =>
    typeof value === 'object' &&
    value !== null &&
    fields.every((field) => typeof Reflect.get(value, field) === 'string');
  return {
    read() {
      const value: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null');
      return isWhole(value) ? value : undefined;
    },
    write(value) {
      if (value === undefined) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, JSON.stringify(value));
    },
  };
}
