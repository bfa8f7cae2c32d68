interface Field {
  readonly label: string;
  readonly value: string;
}

/** A number with a currency: its sign, or the three letters of its code. */
const AMOUNT = /\p{Sc}\s?\d|\d\s?\p{Sc}|\b[A-Z]{3}\s?\d|\d\s?[A-Z]{3}\b/u;

/** The fields of a request with its amounts first, because a list shows only some of them. */
export const amountFirst = (fields: readonly Field[]): readonly Field[] =>
  fields.toSorted((left, right) => Number(AMOUNT.test(right.value)) - Number(AMOUNT.test(left.value)));
