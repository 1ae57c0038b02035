/** Logs in on another device: the device authorization grant (RFC 8628). */
import type { DeviceAuthorizationResponse, TokenEndpointResponse } from 'oauth4webapi';
import type { OpenProvider } from '../../client/node/openid.js';
import { Refusal } from '../objects/failure.js';
import type { LoginPeople, LoginSettings } from './settings.js';

/** Seconds between two requests by default, and seconds to add after `slow_down` (sections 3.2 and 3.5). */
const intervalSeconds = 5;

/** Prints an address and a code, and asks the provider until somebody has entered the code. */
export async function signInByDevice(
  provider: OpenProvider,
  settings: LoginSettings & { readonly scope: string },
  people: LoginPeople,
): Promise<TokenEndpointResponse> {
  const { oauth, server, client, proof, options } = provider;
  if (server.device_authorization_endpoint === undefined) {
    throw new Refusal(
      `the provider ${settings.issuer} offers no device codes: its discovery document has no device_authorization_endpoint`,
      'Log in by a browser on this machine: leave out --device-code',
    );
  }
  const asked = { ...settings.parameters, scope: settings.scope };
  const answer = await oauth.deviceAuthorizationRequest(server, client, proof, asked, options);
  const device = await oauth.processDeviceAuthorizationResponse(server, client, answer);
  people.tell(invitation(device));
  return poll(provider, device, settings, people);
}

const invitation = ({ verification_uri, verification_uri_complete, user_code }: DeviceAuthorizationResponse): string =>
  `Open ${verification_uri} on any device, and enter the code ${user_code}` +
  (verification_uri_complete === undefined ? '' : `\nor open ${verification_uri_complete}`);

async function poll(
  provider: OpenProvider,
  device: DeviceAuthorizationResponse,
  { timeoutMs }: LoginSettings,
  { sleep }: LoginPeople,
): Promise<TokenEndpointResponse> {
  const { oauth, server, client, proof, options } = provider;
  let interval = device.interval ?? intervalSeconds;
  const lastsMs = Math.min(device.expires_in * 1000, timeoutMs);
  for (let waited = 0; waited <= lastsMs; waited += interval * 1000) {
    await sleep(interval * 1000);
    try {
      const answer = await oauth.deviceCodeGrantRequest(server, client, proof, device.device_code, options);
      return await oauth.processDeviceCodeResponse(server, client, answer);
    } catch (error) {
      // A connection that fails is retried later, too (section 3.5).
      if (isPending(error, oauth)) continue;
      interval += slowDownBy(error, oauth);
    }
  }
  throw new Refusal(
    `nobody entered the code ${device.user_code} within ${Math.round(lastsMs / 1000)} s`,
    'Run kindforge login again, and enter the new code; --timeout 10m waits longer',
  );
}

const isPending = (error: unknown, oauth: OpenProvider['oauth']): boolean =>
  error instanceof oauth.ResponseBodyError && error.error === 'authorization_pending';

/** Returns the seconds to add to the pause from now on. Rethrows an error if asking again is useless. */
function slowDownBy(error: unknown, oauth: OpenProvider['oauth']): number {
  const isSlowDown = error instanceof oauth.ResponseBodyError && error.error === 'slow_down';
  const isBroken = error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
  if (isSlowDown || isBroken) return intervalSeconds;
  throw error;
}
