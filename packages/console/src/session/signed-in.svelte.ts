/** Signs the user of this tab in and out, and keeps the session. */
import { isUnauthorized } from 'kindforge/client';
import { tick } from 'svelte';
import { router } from '../app/router.svelte.js';
import { type Credentials, Session } from './session.js';
import { keptRenewal, keptToken, type Login, pendingLogin, type Renewal } from './storage.js';
import { anonymousName, type User, whoAmI } from './who.js';

/** `starting` until the server has answered. */
export type SignInState = 'starting' | 'out' | 'in';

/** If the server refuses a new token of the provider within this time, it will not accept others. Milliseconds. */
const soonMs = 5_000;

class SignedIn {
  state: SignInState = $state('starting');
  session: Session | undefined = $state.raw(undefined);
  user: User = $state.raw({ name: '', groups: [] });
  /** The user that the session impersonates. */
  viewedAs: string | undefined = $state(undefined);
  /** The reason why the last attempt failed. */
  problem: unknown = $state.raw(undefined);
  /** Whether the server accepts requests without credentials; `user` is then their user. */
  canGoOn = $state(false);
  /** Whether the server no longer accepts the token. The page stays, and its requests wait for another token. */
  isExpired = $state(false);
  /** The identity provider that the server trusts; absent if it names none. Known once somebody must sign in. */
  login: Login | undefined = $state.raw(undefined);
  #waiting: ((token: string) => void)[] = [];
  #renewing: Promise<string | undefined> | undefined;
  #renewedAt = 0;

  /** Signs in with the code in the address, the token of this tab, or nothing. Never rejects. */
  async start(): Promise<void> {
    const code = takeCode();
    if (code !== undefined && (await this.#useCode(code))) return;
    if (await this.#comeBack()) return;
    const kept = keptToken.read();
    if (kept !== undefined && (await this.#use({ token: kept }))) return;
    const renewed = kept === undefined ? undefined : await this.#renewed();
    if (renewed !== undefined && (await this.#use({ token: renewed }))) return;
    this.#keep(undefined);
    const isIn = await this.#use({}, ({ name }) => name !== anonymousName && name !== '');
    if (!isIn) await this.#findLogin();
  }

  /** Signs in at the identity provider. The page comes back to its address. Never rejects. */
  async useProvider(): Promise<void> {
    try {
      const { goToProvider } = await import('./provider.js');
      if (this.login) await goToProvider(this.login);
    } catch (error) {
      this.problem = error;
    }
  }

  /**
   * Signs in with a token. Resolves to whether the server accepts it; `problem` has the reason if not. Never rejects.
   */
  async useToken(token: string): Promise<boolean> {
    const isGood = await this.#use({ token });
    if (isGood) this.#keep(token);
    return isGood;
  }

  /** Continues without credentials, if the server accepts such requests. */
  async goOnAnonymously(): Promise<void> {
    await this.#use({});
  }

  /** Continues an expired session with another token. Resolves to whether the server accepts it. Never rejects. */
  async renew(token: string): Promise<boolean> {
    const { session } = this;
    if (!session) return false;
    try {
      const credentials = { ...session.credentials, token };
      const { name } = await whoAmI(new Session(credentials).client, credentials);
      // Another user must not see the content of the page.
      if (name !== this.user.name) return await this.useToken(token);
      session.renew(token);
      this.#keep(token);
      this.#endWaiting(token);
      return true;
    } catch (error) {
      this.problem = error;
      return false;
    }
  }

  /** Ends the session, and forgets everything that this tab has kept: another user may come next. */
  async signOut(): Promise<void> {
    this.end();
    // Pages keep typed text when they close.
    await tick();
    sessionStorage.clear();
  }

  /** Ends the session. Typed text stays in the tab. */
  end(): void {
    this.#keep(undefined);
    void this.#findLogin();
    this.#endWaiting(this.session?.credentials.token ?? '');
    this.session = undefined;
    this.viewedAs = undefined;
    this.problem = undefined;
    this.state = 'out';
  }

  /** Shows everything as another user sees it, if the user may impersonate; `undefined` returns to the own view. */
  async viewAs(user: string | undefined, group?: string): Promise<boolean> {
    const token = this.session?.credentials.token;
    const own: Credentials = token === undefined ? {} : { token };
    const groups = group === undefined || group === '' ? {} : { groups: [group] };
    const isGood = await this.#use(user === undefined ? own : { ...own, impersonate: { user, ...groups } });
    if (isGood) this.viewedAs = user;
    return isGood;
  }

  /** Makes the requests of the page wait until the user has signed in again. */
  async #askForToken(session: Session, refused: string): Promise<string> {
    if (session !== this.session) return refused;
    const renewed = await this.#renewed(refused);
    if (renewed !== undefined && session === this.session) {
      session.renew(renewed);
      return renewed;
    }
    this.isExpired = true;
    void this.#findLogin();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Keeps the token of this tab and its renewal. Drops both without a token. */
  #keep(token: string | undefined, renewal?: Renewal): void {
    if (token === undefined) keptToken.drop();
    else keptToken.write(token);
    keptRenewal.write(renewal);
  }

  /** Takes the answer of the identity provider, if the browser has just come back from it. */
  async #comeBack(): Promise<boolean> {
    const { query } = router;
    const pending = query.has('state') ? pendingLogin.read() : undefined;
    if (!pending) return false;
    // Nobody must keep or share the code. `tokensFrom` takes the sign-in that the tab remembers.
    router.go(pending.returnTo, { replace: true });
    try {
      const { tokensFrom } = await import('./provider.js');
      const { idToken, renewal } = await tokensFrom(query);
      if (!(await this.#use({ token: idToken }))) return false;
      this.#keep(idToken, renewal);
      return true;
    } catch (error) {
      this.problem = error;
      return false;
    }
  }

  /**
   * Asks the identity provider for another token, once for all waiting requests. Resolves to `undefined` if there is
   * none. Never rejects.
   */
  async #renewed(refused?: string): Promise<string | undefined> {
    const kept = keptToken.read();
    // Another request got the token while this one was in flight.
    if (refused !== undefined && kept !== undefined && kept !== refused) return kept;
    const renewal = keptRenewal.read();
    // The server does not accept the provider's tokens.
    const isVain = Date.now() - this.#renewedAt < soonMs;
    if (!renewal || (isVain && !this.#renewing)) return undefined;
    this.#renewing ??= import('./provider.js')
      .then(({ renewed }) => renewed(renewal))
      .then(
        (tokens) => {
          this.#renewedAt = Date.now();
          this.#keep(tokens.idToken, tokens.renewal);
          return tokens.idToken;
        },
        () => undefined,
      )
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  async #findLogin(): Promise<void> {
    try {
      const { publishedLogin } = await import('./provider.js');
      this.login ??= await publishedLogin();
    } catch {
      // There are other ways to sign in.
    }
  }

  #endWaiting(token: string): void {
    this.isExpired = false;
    this.problem = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve(token);
  }

  async #useCode(code: string): Promise<boolean> {
    try {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${import.meta.env.BASE_URL}api/sign-in`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ code }),
      });
      const body: unknown = await answer.json();
      const token = textAt(body, 'token');
      if (token !== undefined) return await this.useToken(token);
      this.problem = new Error(textAt(body, 'message') ?? 'the server did not take the code');
    } catch (error) {
      this.problem = error;
    }
    return false;
  }

  /** Begins a session, if the server knows the user and `isWanted` agrees. */
  async #use(credentials: Credentials, isWanted: (user: User) => boolean = () => true): Promise<boolean> {
    const before = this.problem;
    try {
      const session = new Session(credentials, (one, refused) => this.#askForToken(one, refused));
      const user = await whoAmI(session.client, credentials);
      this.canGoOn = credentials.token === undefined;
      if (!isWanted(user)) {
        if (!this.session) this.state = 'out';
        return false;
      }
      this.#endWaiting(this.session?.credentials.token ?? '');
      this.session = session;
      this.user = user;
      this.problem = undefined;
      this.state = 'in';
      return true;
    } catch (error) {
      // If the server requires credentials, the user has made no mistake.
      const isExpected = isUnauthorized(error) && credentials.token === undefined;
      this.problem = isExpected ? before : error;
      if (!this.session) this.state = 'out';
      return false;
    }
  }
}

export const signedIn = new SignedIn();

/** Removes the code from the address: nobody must keep or share it. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return code;
}

function textAt(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : undefined;
}
