import { Check, ShieldCheck, ShieldX } from 'lucide-react';
import { Panel } from '../../../ui/layout/panel';
import type { Choices } from '../../nouns/policy/policy';
import { asksNumber, attacksOn, stepsOf } from './steps';
import style from './try-out.module.css';

/** A sign-in as these choices make it: a picture of both screens, the steps, and the attacks that they stop. */
export const TryOut = ({ of: chosen }: { readonly of: Choices }) => (
  <Panel title="A sign-in with this policy" className={style.tryOut}>
    <div className={style.picture} aria-hidden="true">
      <Screen of={chosen} />
      <Phone of={chosen} />
    </div>
    <ol className={style.steps} aria-label="Steps of a sign-in">
      {stepsOf(chosen).map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
    <h3>What an attacker can do</h3>
    <ul className={style.attacks} aria-label="What an attacker can do">
      {attacksOn(chosen).map(({ name, isStopped, why }) => {
        const Icon = isStopped ? ShieldCheck : ShieldX;
        return (
          <li key={name} data-stopped={isStopped}>
            <Icon size={18} aria-hidden="true" />
            <span>
              {name}: <strong>{isStopped ? 'stopped' : 'gets in'}</strong>
              <small>{why}</small>
            </span>
          </li>
        );
      })}
    </ul>
  </Panel>
);

const NUMBER = '29';

const Screen = ({ of: chosen }: { readonly of: Choices }) => (
  <div className={style.screen}>
    <div className={style.address} />
    {chosen.sameDeviceOnly ? (
      <p>Open this page on your phone</p>
    ) : (
      <div className={style.codeAndNumber}>
        <Code />
        {asksNumber(chosen) && <b className={style.number}>{NUMBER}</b>}
      </div>
    )}
    {!chosen.sameDeviceOnly && chosen.newBrowser === 'nearby_or_same_device' && (
      <p>New here? Keep your phone beside you</p>
    )}
  </div>
);

const Phone = ({ of: chosen }: { readonly of: Choices }) => (
  <div className={style.phone}>
    <div className={style.line} />
    {asksNumber(chosen) && !chosen.sameDeviceOnly && <b className={style.typed}>{NUMBER}</b>}
    <span className={style.approve}>Approve</span>
    {chosen.attested && (
      <span className={style.passkey}>
        <Check size={12} />
        Passkey
      </span>
    )}
  </div>
);

/** Three corners and some dots: enough to be seen as a code, and no code. */
const DOTS = [
  [8, 1],
  [10, 2],
  [8, 4],
  [11, 5],
  [1, 8],
  [3, 9],
  [5, 8],
  [8, 8],
  [10, 9],
  [12, 8],
  [9, 11],
  [11, 12],
  [12, 10],
  [8, 13],
  [5, 11],
  [2, 12],
] as const;
const CORNERS = [
  [0, 0],
  [10, 0],
  [0, 10],
] as const;

const Code = () => (
  <svg className={style.code} viewBox="0 0 15 15" shapeRendering="crispEdges" aria-hidden="true">
    {CORNERS.map(([x, y]) => (
      <g key={`${x} ${y}`}>
        <rect x={x + 0.5} y={y + 0.5} width="4" height="4" fill="none" stroke="currentColor" />
        <rect x={x + 2} y={y + 2} width="1" height="1" />
      </g>
    ))}
    {DOTS.map(([x, y]) => (
      <rect key={`${x} ${y}`} x={x} y={y} width="1" height="1" />
    ))}
  </svg>
);
