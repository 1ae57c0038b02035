/** The rules of the ports of a service. */
import type { FieldError } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, required, Verbatim } from '../../../runtime/objects/field-error.js';
import { dns1123Label, qualifiedNameCheck } from '../../../runtime/objects/names/name-checks.js';
import { portName, portNumberProblems } from '../../../runtime/objects/names/network-names.js';
import { quote } from '../../../runtime/objects/printing.js';
import { type PortDraft, portsOf, type ServiceDraft, typeOf } from './spec.js';

/** If there are several ports, each has a unique name. */
export function portErrors(service: ServiceDraft): readonly FieldError[] {
  const ports = portsOf(service);
  const names = new Set<string>();
  return ports.flatMap(({ name = '', port = 0, targetPort, appProtocol }, i) => {
    const path = `spec.ports[${i}]`;
    const again = names.has(name);
    names.add(name);
    return [
      ...(name === '' && ports.length > 1 ? [required(`${path}.name`)] : []),
      ...(name === '' ? [] : dns1123Label(name)).map((problem) => invalidValue(`${path}.name`, name, problem)),
      ...(name !== '' && again ? [duplicate(`${path}.name`, name)] : []),
      ...portNumberProblems(port).map((problem) => invalidValue(`${path}.port`, port, problem)),
      ...targetPortErrors(targetPort, `${path}.targetPort`),
      ...(appProtocol === undefined ? [] : qualifiedNameCheck(appProtocol)).map((problem) =>
        invalidValue(`${path}.appProtocol`, appProtocol, problem),
      ),
    ];
  });
}

/** A target port is a number or the name of a container's port. A missing one counts as 0. */
function targetPortErrors(port: number | string = 0, path: string): FieldError[] {
  const problems = typeof port === 'string' ? portName(port) : portNumberProblems(port);
  return problems.map((problem) => invalidValue(path, port, problem));
}

/** The port of the node agents. */
const nodeAgentPort = 10_250;

/** A load balancer must not expose the node agents. */
export function nodeAgentPortErrors(service: ServiceDraft): readonly FieldError[] {
  const rule = `may not expose port ${nodeAgentPort} externally since it is used by kubelet`;
  return portsOf(service).flatMap(({ port }, i) =>
    port === nodeAgentPort ? [invalidValue(`spec.ports[${i}]`, port, rule)] : [],
  );
}

/** Only some services have node ports, and each is used once per protocol. */
export function nodePortErrors(service: ServiceDraft): readonly FieldError[] {
  const ports = portsOf(service);
  const rule = "may not be used when `type` is 'ClusterIP'";
  const misplaced = ports.flatMap(({ nodePort }, i) =>
    typeOf(service) === 'ClusterIP' && nodePort ? [forbidden(`spec.ports[${i}].nodePort`, rule)] : [],
  );
  const repeated = repeats(ports, ({ protocol = '', nodePort = 0 }) => `${protocol} ${nodePort}`);
  return [
    ...misplaced,
    ...repeated.flatMap(({ port: { nodePort }, i }) =>
      nodePort ? [duplicate(`spec.ports[${i}].nodePort`, nodePort)] : [],
    ),
  ];
}

/** Ports differ in number or protocol. */
export function repeatedPortErrors(service: ServiceDraft): readonly FieldError[] {
  const repeated = repeats(portsOf(service), ({ protocol = '', port = 0 }) => `${protocol} ${port}`);
  return repeated.map(({ port, i }) => duplicate(`spec.ports[${i}]`, portText(port)));
}

/** Prints a port as messages about repeats do: only protocol and number. */
function portText({ protocol = '', port = 0 }: PortDraft): Verbatim {
  const unset = 'TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0';
  return new Verbatim(
    `core.ServicePort{Name:"", Protocol:${quote(protocol)}, AppProtocol:(*string)(nil), Port:${port}, ${unset}}`,
  );
}

function repeats(
  ports: readonly PortDraft[],
  keyOf: (port: PortDraft) => string,
): readonly { readonly port: PortDraft; readonly i: number }[] {
  const seen = new Set<string>();
  return ports.flatMap((port, i) => {
    const again = seen.has(keyOf(port));
    seen.add(keyOf(port));
    return again ? [{ port, i }] : [];
  });
}
