import style from './wire.module.css';

/** The diagram: who holds what, what goes over, and what stays. Its text is its content, so it reads without the lines. */
export const Wire = () => (
  <div className={style.wire}>
    <div className={style.place}>
      <h3>The phone</h3>
      <ul className={style.kept}>
        <li>fingerprint or face: stays in the phone’s own lock</li>
        <li>secret and salt: random, behind that lock</li>
      </ul>
      <p className={style.never}>Never leaves the phone</p>
    </div>
    <ol className={style.crossing}>
      <li>
        <span>once</span>
        <strong>commitment and DID</strong>
        <Arrow />
      </li>
      <li>
        <span>each time</span>
        <strong>a proof, bound to one use</strong>
        <Arrow />
      </li>
    </ol>
    <div className={style.place}>
      <h3>The service</h3>
      <ul className={style.kept}>
        <li>commitment and DID</li>
        <li>that a proof was valid, when, and for what</li>
        <li>a chain of hashes over every write</li>
      </ul>
      <p className={style.good}>Opens nothing elsewhere</p>
    </div>
  </div>
);

const Arrow = () => (
  <svg viewBox="0 0 160 12" className={style.arrow} aria-hidden="true">
    <path d="M2 6h150m-7-5 7 5-7 5" />
  </svg>
);
