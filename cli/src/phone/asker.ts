import type { Svc } from '@svc/sdk';
import type { Context } from '../command.js';
import { plain, styleFor } from '../terminal.js';

export type Asker = Awaited<ReturnType<Svc['phone']['pairing']['context']>>['context'];

/** A person usually scans a code within this time. */
const OLD_MS = 120_000;

const timeFor = (ms: number) =>
  ms < OLD_MS ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;

/** Who asks for a sign-in, for the person to read before they approve. */
export function describeAsker(
  { company, application, origin, browser, system, openedAt, sameNetwork, device }: Asker,
  now: number,
  { err, env }: Pick<Context, 'err' | 'env'>,
): string {
  const style = styleFor(err, env);
  const age = Math.max(0, now - Date.parse(openedAt));
  const what = application === null ? '' : ` to ${style('bold', plain(application))}`;
  const machine = [browser, system].filter((name) => name !== null).join(' on ');
  const claimed = machine === '' ? 'not known' : `${plain(machine)} (stated by the browser, not verified)`;
  const network =
    sameNetwork === null
      ? 'not known'
      : sameNetwork
        ? 'the same as this phone’s'
        : 'another than this phone’s';
  const asker = device === null ? 'The page was opened' : 'That device is';
  const warnings = [
    ...(device === null
      ? []
      : [
          `Signs in another device: ${plain(application ?? '')}, code ${plain(device.userCode)}. Compare the code.`,
        ]),
    ...(sameNetwork === false ? [`${asker} in another network than this phone’s.`] : []),
    ...(age >= OLD_MS ? [`The code was opened ${timeFor(age)} ago.`] : []),
  ];
  return [
    `${style('bold', plain(company))} asks you to sign in${what}.`,
    `Page:     ${plain(origin ?? 'not known')}`,
    `Browser:  ${claimed}`,
    `Network:  ${network}`,
    `Opened:   ${timeFor(age)} ago`,
    ...warnings.map((warning) => style('yellow', `Warning:  ${warning}`)),
    style('red', 'If you did not start this sign-in, run `svc phone decline` with this code.'),
  ].join('\n');
}
