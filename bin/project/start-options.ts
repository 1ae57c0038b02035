/** Adds the parts of a project to the options of a server. */

import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineInOrder } from '../../plugins/index.js';
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import { type EmulatedVersion, isEmulated, releases } from '../../runtime/objects/release.js';
import type { AuthorizationOptions } from '../../server/access-options.js';
import { builtinKinds } from '../../server/builtin-kinds.js';
import type { AdmissionOptions, ServerHook, StartOptions } from '../../server/options.js';
import { readAuthorizationModes } from '../../server/text/authorization-modes.js';
import { readCount } from '../../server/text/limits.js';
import { readObjectSize } from '../../server/text/object-size.js';
import { sourceOf } from './load/read-parts.js';
import { type Project, ProjectError } from './project.js';
import type { ServeSettings, SettingValue } from './serve-settings.js';

/** The options for the app and the life of a server. */
type AppOption = 'pages' | 'routes' | 'onStart' | 'onStop';

/** The options of `startServer` for a project's own parts: everything except its `serve` settings. */
export type ProjectOptions = Pick<
  StartOptions,
  'schemas' | 'naming' | 'kinds' | 'admission' | 'authentication' | 'authorization' | 'controllers' | AppOption
>;

/**
 * Adds the parts of the project to the options: `schemas` and `naming` if they are not set, and its parts after the
 * given ones.
 */
export function withProject<T extends ProjectOptions>(options: T, project: Project): T & ProjectOptions {
  const { admission, authentication, authorization, controllers = ['*'], kinds = [builtinKinds] } = options;
  const { handlers, admissionPlugins, authenticators, authorizers } = project;
  const schemas = options.schemas ?? project.schemas;
  const plugins = admissionPlugins.map((plugin) => withSource(plugin, project));
  return {
    ...options,
    naming: options.naming ?? project.naming,
    ...(schemas === undefined ? {} : { schemas }),
    kinds: [...kinds, { handlers }],
    admission: { ...admission, plugins: [...(admission?.plugins ?? []), ...plugins] },
    authentication: {
      ...authentication,
      authenticators: [...(authentication?.authenticators ?? []), ...authenticators],
    },
    ...(authorizers.length === 0 ? {} : { authorization: withAuthorizers(authorization, authorizers) }),
    controllers: [...controllers, ...project.controllers],
    pages: options.pages ?? project.static,
    ...withFunctions(options, project),
  };
}

/** Returns the project without its folder of pages if that is not built. Development and tests need no pages. */
export function withoutUnbuiltPages(project: Project): Project {
  return hasBuiltPages(project) ? project : { ...project, static: undefined };
}

/** Returns whether the folder of pages has an `index.html`, or the project has no such folder. */
export function hasBuiltPages({ static: pages }: Pick<Project, 'static'>): boolean {
  return pages === undefined || statSync(join(pages, 'index.html'), { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Combines hooks and routes. The options come before the project, except that their `onStop` hook comes after its hook.
 */
function withFunctions(options: ProjectOptions, project: Project): Pick<ProjectOptions, AppOption> {
  const routes = [options.routes, project.routes].flatMap((one) => one ?? []);
  const { onStart, onStop } = options;
  return {
    routes: (app) => routes.forEach((one) => void one(app)),
    onStart: inTurn(onStart, project.onStart),
    onStop: inTurn(project.onStop, onStop),
  };
}

/** Combines two hooks into one. */
function inTurn(first: ServerHook | undefined, second: ServerHook | undefined): ServerHook | undefined {
  if (!first || !second) return first ?? second;
  return async (server) => {
    await first(server);
    await second(server);
  };
}

/** Makes a plugin name its file if it cannot start. */
function withSource(plugin: AdmissionPlugin, { file }: Project): AdmissionPlugin {
  const { start } = plugin;
  // A copy would lose the methods that a plugin inherits from a class.
  if (start === undefined || Object.getPrototypeOf(plugin) !== Object.prototype) return plugin;
  return {
    ...plugin,
    start(host, configuration) {
      try {
        start.call(plugin, host, configuration);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`${message} (in ${relative('', sourceOf(plugin) ?? file)})`, { cause: error });
      }
    },
  };
}

/** Adds authorizers. RBAC decides first, unless the options name other authorizers or a file. */
function withAuthorizers(
  authorization: StartOptions['authorization'] = {},
  own: Project['authorizers'],
): StartOptions['authorization'] {
  const { authorizer, modes, configFile } = authorization;
  const all = [...(authorizer ? [authorizer] : []), ...own];
  const [only, ...others] = all;
  return {
    ...authorization,
    ...(configFile === undefined && { modes: modes ?? (authorizer ? [] : ['RBAC']) }),
    ...(only ? { authorizer: others.length === 0 ? only : defineInOrder(all) } : {}),
  };
}

// Reads the settings of `serve` that a project has for resources and access, for servers without a command line.

/** The options that the settings set. */
export type ServedOptions = Pick<
  StartOptions,
  | 'admission'
  | 'authorization'
  | 'emulatedVersion'
  | 'featureGates'
  | 'maxObjectBytes'
  | 'projectRelease'
  | 'runtimeConfig'
  | 'tolerations'
>;

type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: { readonly message: string } };

/** Settings as texts. Lists and mappings have commas between their parts, as on the command line. */
type Settings = (name: keyof ServeSettings) => string | undefined;

/** Reads the options from settings. Throws a `ProjectError` if a value cannot be used. */
export function servedOptions({ file, serve }: Pick<Project, 'file' | 'serve'>): ServedOptions {
  const settings: Settings = (name) => writeSetting(serve[name]);
  const read = <T>(name: keyof ServeSettings, reader: (text: string) => Read<T>): T | undefined => {
    const text = settings(name);
    if (text === undefined) return undefined;
    const value = reader(text);
    if (value.ok) return value.value;
    throw new ProjectError(`${file}: serve.${name}: ${value.failure.message}`);
  };
  const modes = read('authorization-mode', readAuthorizationModes);
  const notReady = read('default-not-ready-toleration-seconds', (text) => readCount(text, 0));
  const unreachable = read('default-unreachable-toleration-seconds', (text) => readCount(text, 0));
  return {
    featureGates: settings('feature-gates'),
    runtimeConfig: settings('runtime-config'),
    emulatedVersion: read('emulated-version', readEmulated),
    projectRelease: settings('project-release'),
    maxObjectBytes: read('max-object-bytes', readObjectSize),
    admission: admissionOf(settings),
    authorization: authorizationOf(settings, modes),
    tolerations: notReady === undefined && unreachable === undefined ? undefined : { notReady, unreachable },
  };
}

const admissionOf = (settings: Settings): AdmissionOptions => ({
  enable: namesOf(settings('enable-admission-plugins')),
  disable: namesOf(settings('disable-admission-plugins')),
  configurationFile: settings('admission-control-config-file'),
});

function authorizationOf(settings: Settings, modes: AuthorizationOptions['modes']): AuthorizationOptions | undefined {
  const policyFile = settings('authorization-policy-file');
  const webhookFile = settings('authorization-webhook-config-file');
  const configFile = settings('authorization-config');
  if ([modes, policyFile, webhookFile, configFile].every((one) => one === undefined)) return undefined;
  return {
    modes,
    policyFile,
    configFile,
    webhook: webhookFile === undefined ? undefined : { configFile: webhookFile },
  };
}

function readEmulated(text: string): Read<EmulatedVersion> {
  return isEmulated(text)
    ? { ok: true, value: text }
    : { ok: false, failure: { message: `${text} is not supported; use ${releases.join(', ')} or latest` } };
}

const namesOf = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').flatMap((name) => name.trim() || []);

function writeSetting(value: SettingValue | undefined): string | undefined {
  if (value === undefined || typeof value !== 'object') return value === undefined ? undefined : String(value);
  return isList(value)
    ? value.join(',')
    : Object.entries(value)
        .map(([name, one]) => `${name}=${one}`)
        .join(',');
}

const isList = (value: object): value is readonly unknown[] => Array.isArray(value);
