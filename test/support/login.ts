/** An OpenID provider over TLS, people with a browser, and the settings of a login between them. */
import { Agent, fetch } from 'undici';
import { type LoginFlags, type LoginPeople, type LoginSettings, settingsOf } from '../../bin/login/settings.js';
import { type ProviderOptions, type RunningProvider, startProvider } from '../../examples/login/provider.js';
import { makeServerCertificate } from './certificates.js';

export interface LoginBench {
  readonly provider: RunningProvider;
  /** The provider's authority, in PEM. */
  readonly ca: string;
  readonly settings: LoginSettings;
  /** Users who open each address. `login_hint` says which user signs in. */
  readonly people: LoginPeople;
  /** The lines that the login has printed. */
  readonly said: string[];
  /** The pages that the browser has shown. */
  readonly pages: string[];
  /** The time of each wait, milliseconds. Tests do not really wait. */
  readonly waits: number[];
  /** Opens an address as a browser does. Never rejects, because a browser shows errors as a page. */
  readonly browse: (url: string) => Promise<void>;
  /** Starts the provider again at its address, without its earlier state. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The flags of every command. */
export const usualLoginFlags: LoginFlags = {
  user: 'oidc',
  oidcAuthParam: ['login_hint=anna'],
  browser: true,
  listenPort: '0',
  redirectHost: '127.0.0.1',
  timeout: '20s',
};

export async function startLogin(options: Partial<ProviderOptions> = {}): Promise<LoginBench> {
  const certificate = await makeServerCertificate();
  let provider = await startProvider({ ...certificate, ...options });
  const dispatcher = new Agent({ connect: { ca: certificate.cert } });
  const [said, pages, waits]: [string[], string[], number[]] = [[], [], []];
  const browse = async (url: string): Promise<void> => {
    const page = await fetch(url, { dispatcher }).then(
      (answer) => answer.text(),
      (error: unknown) => String(error),
    );
    pages.push(page);
  };
  return {
    provider: { url: provider.url, close: () => provider.close() },
    ca: certificate.cert,
    settings: {
      ...settingsOf({ ...usualLoginFlags, oidcIssuerUrl: provider.url, oidcClientId: 'shop' }),
      ca: certificate.cert,
    },
    people: {
      tell: (line) => said.push(line),
      openBrowser: (url) => void browse(url),
      sleep: async (ms) => {
        waits.push(ms);
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    },
    ...{ said, pages, waits, browse },
    async restart() {
      provider = await startProvider({ ...certificate, ...options, port: Number(new URL(provider.url).port) });
    },
    async close() {
      await dispatcher.destroy();
      await provider.close();
    },
  };
}
