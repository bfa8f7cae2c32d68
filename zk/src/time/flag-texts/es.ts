import type { FlagCode } from '../flags.js';

/** The Spanish texts of flags. */
export const FLAG_TEXTS: Readonly<Record<FlagCode, string>> = {
  double_tap: 'El mismo fichaje dos veces en menos de un minuto. El segundo no cuenta.',
  two_check_ins: 'Dos entradas sin salida. El primer turno no tiene final ni minutos.',
  check_out_alone: 'Una salida sin entrada. No cuenta.',
  open_shift: 'Una entrada sin salida. El turno no tiene minutos.',
  open_break: 'Una pausa sin final. No tiene minutos.',
  break_at_the_end: 'Una salida durante una pausa. La pausa termina con el turno.',
  break_alone: 'Una pausa fuera de un turno. No cuenta.',
  asserted_ignored:
    'Una clave de API o un miembro ha anotado un fichaje dentro de un turno de la persona. No cuenta.',
  de_day_over_10h: 'Más de 10 horas de trabajo en un día (ArbZG, artículo 3).',
  de_break_under_30:
    'Más de 6 horas de trabajo con menos de 30 minutos de pausa en total. Las pausas de menos de 15 minutos no cuentan (ArbZG, artículo 4).',
  de_break_under_45:
    'Más de 9 horas de trabajo con menos de 45 minutos de pausa en total. Las pausas de menos de 15 minutos no cuentan (ArbZG, artículo 4).',
  de_over_6h_in_a_row: 'Más de 6 horas de trabajo sin una pausa de 15 minutos (ArbZG, artículo 4).',
  de_rest_under_11h: 'Menos de 11 horas de descanso entre una jornada y la siguiente (ArbZG, artículo 5).',
  es_day_over_9h: 'Más de 9 horas de trabajo en un día (Estatuto de los Trabajadores, artículo 34.3).',
  es_break_under_15:
    'Más de 6 horas de trabajo sin una pausa de 15 minutos (Estatuto de los Trabajadores, artículo 34.4).',
  es_rest_under_12h:
    'Menos de 12 horas de descanso entre una jornada y la siguiente (Estatuto de los Trabajadores, artículo 34.3).',
};
