/** Says to a server what a project adds. */
import { defineInOrder } from '../../plugins/index.js';
import { builtinKinds } from '../../server/builtin-kinds.js';
import type { StartOptions } from '../../server/options.js';
import type { Project } from './project.js';

/** The options of `startServer` that a project's own parts go into; all but its settings of `serve`. */
export type ProjectOptions = Pick<
  StartOptions,
  'schemas' | 'naming' | 'kinds' | 'admission' | 'authentication' | 'authorization' | 'controllers'
>;

/**
 * The options with what the project adds: `schemas` and `naming` where they do not say them, and its parts after those
 * of the options.
 */
export function withProject<T extends ProjectOptions>(options: T, project: Project): T & ProjectOptions {
  const { admission, authentication, authorization, controllers = ['*'], kinds = [builtinKinds] } = options;
  const { handlers, admissionPlugins, authenticators, authorizers } = project;
  const schemas = options.schemas ?? project.schemas;
  return {
    ...options,
    naming: options.naming ?? project.naming,
    ...(schemas === undefined ? {} : { schemas }),
    kinds: [...kinds, { handlers }],
    admission: { ...admission, plugins: [...(admission?.plugins ?? []), ...admissionPlugins] },
    authentication: {
      ...authentication,
      authenticators: [...(authentication?.authenticators ?? []), ...authenticators],
    },
    ...(authorizers.length === 0 ? {} : { authorization: withAuthorizers(authorization, authorizers) }),
    controllers: [...controllers, ...project.controllers],
  };
}

/** Where the options do not say who decides, rights go by roles first. */
function withAuthorizers(
  authorization: StartOptions['authorization'] = {},
  own: Project['authorizers'],
): StartOptions['authorization'] {
  const { authorizer, modes } = authorization;
  const all = [...(authorizer ? [authorizer] : []), ...own];
  const [only, ...others] = all;
  return {
    ...authorization,
    modes: modes ?? (authorizer ? [] : ['RBAC']),
    ...(only ? { authorizer: others.length === 0 ? only : defineInOrder(all) } : {}),
  };
}
