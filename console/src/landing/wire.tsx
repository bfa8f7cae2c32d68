import style from './wire.module.css';

/** The diagram of what each side stores and what is sent. It is made of text, so it also reads well without the lines. */
export const Wire = () => (
  <div className={style.wire}>
    <div className={style.place}>
      <h3>The phone</h3>
      <ul className={style.kept}>
        <li>fingerprint or face, known only to the phone’s own lock</li>
        <li>random secret and salt, protected by that lock</li>
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
        <strong>a proof, valid for one use</strong>
        <Arrow />
      </li>
    </ol>
    <div className={style.place}>
      <h3>The service</h3>
      <ul className={style.kept}>
        <li>commitment and DID</li>
        <li>which proofs were valid, when, and for what</li>
        <li>a hash chain over every write</li>
      </ul>
      <p className={style.good}>Gives no access elsewhere</p>
    </div>
  </div>
);

const Arrow = () => (
  <svg viewBox="0 0 160 12" className={style.arrow} aria-hidden="true">
    <path d="M2 6h150m-7-5 7 5-7 5" />
  </svg>
);
