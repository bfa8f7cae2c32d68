import style from './brand.module.css';

export const Brand = () => (
  <span className={style.brand}>
    <img src="/favicon.svg" alt="" />
    Identity
  </span>
);
