/** Reads modes of authorization. */
import type { Result } from '../../runtime/contract/index.js';
import { listMembers } from '../../runtime/objects/scan/media-types.js';
import { badRequest } from '../../runtime/objects/status.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { type AuthorizationMode, authorizationModes } from '../access-options.js';

export type { AuthorizationMode } from '../access-options.js';

/** Reads names separated by commas. Refuses a name that is given twice. */
export function readAuthorizationModes(text: string): Result<readonly AuthorizationMode[]> {
  const names = listMembers(text);
  const unknown = names.filter((name) => !isMode(name));
  if (unknown.length > 0) {
    const said = unknown.map((name) => name || '(nothing)').join(', ');
    const meant = didYouMean(unknown[0] ?? '', authorizationModes);
    const suggestion = meant === undefined ? '' : `${meant} `;
    return wrong(
      `${said} is unknown; ${suggestion}use names of: ${authorizationModes.join(', ')}, separated by commas`,
    );
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined ? { ok: true, value: names.filter(isMode) } : wrong(`${twice} is given twice`);
}

const isMode = (name: string): name is AuthorizationMode => authorizationModes.some((mode) => mode === name);

const wrong = (message: string): Result<never> => ({ ok: false, failure: badRequest(message) });
