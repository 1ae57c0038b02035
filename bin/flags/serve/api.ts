/** Flags of `kindforge serve`: the API that it serves, how it starts and stops, and the sources of its settings. */
import { releases } from '../../../runtime/objects/release.js';
import { readAddresses, readPorts } from '../../../server/text/limits.js';
import { type FlagGroup, mustBe, type Read } from '../flag.js';
import { count, readFile, readTime } from './values.js';

export const api = {
  heading: 'The API',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'schemas',
      value: '<dir>',
      about: 'folder with your own definitions, native or CustomResourceDefinitions',
      sets: ['schemas'],
    },
    {
      name: 'allow-breaking-changes',
      about: 'serve definitions that break the released ones, and log what they break',
    },
    {
      name: 'naming',
      value: '<names>',
      values: ['platform', 'kubernetes'],
      about: 'names of API groups: platform, or kubernetes for Kubernetes clients',
      byDefault: 'platform',
      sets: ['naming'],
    },
    {
      name: 'feature-gates',
      value: '<gates>',
      about: 'feature gates to set, such as A=true,B=false',
      byDefault: '',
      sets: ['featureGates'],
    },
    {
      name: 'runtime-config',
      value: '<config>',
      about: 'API versions to enable or disable, such as api/alpha=true,<group>/<version>/<resource>=false',
      byDefault: '',
      sets: ['runtimeConfig'],
    },
    {
      name: 'emulated-version',
      value: '<version>',
      about: 'API release to emulate; without it 1.27 with the latest machinery for custom resources',
      values: [...releases, 'latest'],
    },
    {
      name: 'project-release',
      value: '<release>',
      about: 'release of your own definitions to serve, as in 2.1; without it everything that they have',
      sets: ['projectRelease'],
    },
    {
      name: 'controllers',
      value: '<names>',
      about:
        'controllers to run, comma-separated: * for those on by default, name to add one, -name to leave one out; or none',
      byDefault: '*',
      read: readControllers,
      sets: ['controllers'],
    },
    {
      name: 'simulate-nodes',
      value: '<number>',
      about: 'nodes that the controller workloads-simulated creates and keeps ready; --controllers must include it',
      byDefault: '1',
      stability: 'alpha',
      read: count(0),
    },
    {
      name: 'leader-elect',
      about: 'run the controllers in only one of the servers that share a store',
    },
    {
      name: 'coordinated-leadership-lease-duration',
      value: '<duration>',
      about: 'coordinated leader election: how long other servers wait after the last renewal before they take over',
      byDefault: '15s',
      read: readTime,
      sets: ['coordinatedLeadership.durationMs'],
    },
    {
      name: 'coordinated-leadership-renew-deadline',
      value: '<duration>',
      about: 'coordinated leader election: how long the present server goes on after its last renewal',
      byDefault: '10s',
      read: readTime,
      sets: ['coordinatedLeadership.renewDeadlineMs'],
    },
    {
      name: 'coordinated-leadership-retry-period',
      value: '<duration>',
      about: 'coordinated leader election: time between two renewals, and between two attempts to take over',
      byDefault: '2s',
      read: readTime,
      sets: ['coordinatedLeadership.retryMs'],
    },
    {
      name: 'proxy-loopback',
      about: 'let the subresource proxy of pods, services and nodes reach loopback and link-local addresses',
    },
    {
      name: 'service-cluster-ip-range',
      value: '<blocks>',
      about: 'IP range of Services in CIDR notation, or one IPv4 and one IPv6 range, comma-separated',
      byDefault: '10.0.0.0/16',
      read: readAddresses,
    },
    {
      name: 'service-node-port-range',
      value: '<ports>',
      about: 'range of node ports of Services',
      byDefault: '30000-32767',
      read: readPorts,
    },
    {
      name: 'default-not-ready-toleration-seconds',
      value: '<seconds>',
      about: 'how long a pod stays on a node that is not ready, unless the pod says otherwise',
      byDefault: '300',
      read: count(0),
    },
    {
      name: 'default-unreachable-toleration-seconds',
      value: '<seconds>',
      about: 'how long a pod stays on a node that is not reachable, unless the pod says otherwise',
      byDefault: '300',
      read: count(0),
    },
  ],
} as const satisfies FlagGroup;

export const startAndStop = {
  heading: 'Start and stop',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'workers',
      value: '<count>',
      about: 'processes that answer requests, auto for one per core; with more than 1, another process keeps the data',
      byDefault: '1',
      read: readWorkers,
      sets: ['workers'],
    },
    {
      name: 'shutdown-delay-duration',
      value: '<duration>',
      about: 'time between the failure of /readyz and the end of accepting connections',
      byDefault: '0s',
      read: readTime,
      sets: ['shutdownDelayMs'],
    },
    {
      name: 'ready-file',
      value: '<file>',
      about: 'file that exists while the server is ready, with the line that --output json prints',
      read: readFile,
    },
    {
      name: 'exit-with-parent',
      about: 'stop once the process that started this one has ended',
    },
    {
      name: 'livez-grace-period',
      value: '<duration>',
      about: 'time after the start during which /livez reports success, even if a check fails',
      byDefault: '0s',
      read: readTime,
      sets: ['livezGraceMs'],
    },
  ],
} as const satisfies FlagGroup;

export const general = {
  heading: 'General',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'config',
      value: '<file>',
      about: 'YAML file with flags; the command line and the environment override it',
    },
    {
      name: 'output',
      value: '<form>',
      about: 'output once the server is ready: text, or json for one line with address, kubeconfig and pid',
      byDefault: 'text',
      values: ['text', 'json'],
    },
    {
      name: 'project',
      value: '<path>',
      about: 'configuration of the project, its folder, or none; flags and the environment come first',
      otherwise: 'kindforge.config.* of the working directory, or of one above it in its repository or package',
    },
    {
      name: 'quiet',
      about: 'print nothing but errors',
    },
  ],
} as const satisfies FlagGroup;

/**
 * Reads `--controllers`, for all commands that have it: `none` or nothing for no controllers, or comma-separated names.
 */
export function controllerNames(text: string): readonly string[] {
  return text === '' || text === 'none' ? [] : text.split(',').map((name) => name.trim());
}

function readWorkers(text: string): Read<number | 'auto'> {
  if (text === 'auto') return { ok: true, value: text };
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1024) return { ok: true, value: Number(text) };
  return mustBe(text, 'a number from 1 to 1024, or auto for one per core');
}

function readControllers(text: string): Read<readonly string[]> {
  return { ok: true, value: controllerNames(text) };
}
