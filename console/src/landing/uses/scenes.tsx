import type { ReactNode } from 'react';
import style from './uses.module.css';

/** Drawings of the three places. The text beside each says the same, so readers of the text lose nothing. */
const Scene = ({ children }: { readonly children: ReactNode }) => (
  <svg className={style.scene} viewBox="0 0 320 180" aria-hidden="true">
    {children}
  </svg>
);

export const ReceptionScene = () => (
  <Scene>
    <path
      className={style.soft}
      d="M64 120V98m0 8c-2-14-12-20-20-20 0 12 8 20 20 20Zm0-6c0-14 8-22 18-24 1 14-6 24-18 24Z"
    />
    <path className={style.thing} d="M52 118h24l-3 20H55Z" />
    <path className={style.thing} d="m138 118-8 20h50l-8-20Z" />
    <rect className={style.thing} x="98" y="34" width="114" height="84" rx="8" />
    <rect className={style.screen} x="104" y="40" width="102" height="72" rx="3" />
    <Code x={131} y={52} size={48} />
    <path className={style.counter} d="M24 138h272v42H24Z" />
    <Phone x={234} y={72} />
  </Scene>
);

export const KioskScene = () => (
  <Scene>
    <path className={style.thing} d="M144 130h32v50h-32Z" />
    <rect className={style.thing} x="106" y="18" width="108" height="116" rx="10" />
    <rect className={style.screen} x="113" y="25" width="94" height="102" rx="4" />
    <text className={style.number} x="160" y="86">
      29
    </text>
    <path className={style.soft} d="M138 104h44" />
    <path className={style.floor} d="M24 180h272" />
    <rect className={style.thing} x="236" y="66" width="40" height="74" rx="8" />
    <text className={style.small} x="256" y="94">
      29
    </text>
    {[0, 1, 2].map((row) =>
      [0, 1, 2].map((column) => (
        <circle
          key={`${row} ${column}`}
          className={style.key}
          cx={247 + column * 9}
          cy={106 + row * 10}
          r="2.5"
        />
      )),
    )}
  </Scene>
);

export const DoorScene = () => (
  <Scene>
    <path className={style.light} d="M60 22h84v158H60Z" />
    <path className={style.thing} d="m60 22 54 16v142H60Z" />
    <path className={style.soft} d="M103 104v14" />
    <path className={style.frame} d="M54 180V16h96v164" />
    <rect className={style.thing} x="176" y="72" width="48" height="62" rx="7" />
    <Code x={184} y={79} size={32} />
    <path className={style.lamp} d="M190 123h20" />
    <Phone x={244} y={66} />
    <path className={style.floor} d="M24 180h272" />
  </Scene>
);

/** A phone that shows a tick. */
const Phone = ({ x, y }: { readonly x: number; readonly y: number }) => (
  <g transform={`translate(${x} ${y})`}>
    <rect className={style.thing} width="40" height="74" rx="8" />
    <rect className={style.done} x="4" y="4" width="32" height="66" rx="5" />
    <path className={style.tick} d="m13 38 5 5 9-10" />
  </g>
);

/** Something like a QR code: eleven modules wide, with three eyes. */
const Code = ({ x, y, size }: { readonly x: number; readonly y: number; readonly size: number }) => (
  <g className={style.code} transform={`translate(${x} ${y}) scale(${size / 11})`}>
    {[
      [0, 0],
      [8, 0],
      [0, 8],
    ].map(([left = 0, top = 0]) => (
      <path
        key={`${left} ${top}`}
        d={`M${left} ${top}h3v3h-3Zm.6.6v1.8h1.8v-1.8Zm.5.5h.8v.8h-.8Z`}
        fillRule="evenodd"
      />
    ))}
    <path d="M4 0h1v1h-1zm2 0h1v2h-1zm-2 2h2v1h-2zm1 2h1v1h-1zm2 0h1v2h-1zm2 0h2v1h-2zm-9 0h1v1h-1zm2 0h2v1h-2zm-1 2h2v1h-2zm4 0h2v1h-2zm3 0h1v1h-1zm2 0h1v2h-1zm-6 2h1v3h-1zm2 0h1v1h-1zm2 1h2v1h-2zm3 0h1v2h-1zm-4 1h1v1h-1zm2 0h1v1h-1z" />
  </g>
);
