import type { ForeignObject } from '#lib/foreign.ts';

/** The fields of an object in their order; the fields that may follow them are the next shapes. */
export interface Shape {
  /** 0 for no fields, then in the order in which they were first seen. */
  readonly number: number;
  readonly fields: readonly string[];
  readonly next: Map<string, Shape>;
  /** By field, the shape of the object that stood there last. */
  readonly guesses: Shape[];
}

/** Makes the shapes of one writer: that of no fields, and a function that finds the shape of an object, given a guess. */
export function createShapes() {
  let shapes = 0;
  const noFields = makeShape([]);

  function makeShape(fields: readonly string[]): Shape {
    return { number: shapes++, fields, next: new Map(), guesses: [] };
  }

  function follow(shape: Shape, field: string): Shape {
    const next = makeShape([...shape.fields, field]);
    shape.next.set(field, next);
    return next;
  }

  function seek(object: ForeignObject): Shape {
    let shape = noFields;
    for (const field in object) shape = shape.next.get(field) ?? follow(shape, field);
    return shape;
  }

  function shapeOf(object: ForeignObject, guess: Shape): Shape {
    const { fields } = guess;
    let index = 0;
    for (const field in object) {
      if (field !== fields[index]) return seek(object);
      index += 1;
    }
    return index === fields.length ? guess : seek(object);
  }

  return { noFields, shapeOf };
}
