// mikro_orm.js OUT.db - sessions and messages of an older program, as MikroORM writes them: tables
// called sessions and messages, snake_case columns, enums as CHECKs, uuids, times as Unix
// milliseconds.
const { EntitySchema, MikroORM } = require("@mikro-orm/libsql");

const Session = new EntitySchema({
  name: "Session",
  tableName: "sessions",
  properties: {
    id: { type: "uuid", primary: true },
    name: { type: "string", nullable: true },
    state: {
      enum: true,
      items: ["active", "suspended", "completed", "cancelled", "error", "stopped"],
    },
    createdAt: { type: "datetime" },
    updatedAt: { type: "datetime", nullable: true },
    lastSeenAt: { type: "datetime", nullable: true },
    messages: { kind: "1:m", entity: "Message", mappedBy: "session" },
  },
});

const Message = new EntitySchema({
  name: "Message",
  tableName: "messages",
  properties: {
    id: { type: "number", primary: true, autoincrement: true },
    session: { kind: "m:1", entity: "Session", deleteRule: "cascade" },
    author: { enum: true, items: ["human", "ai", "function", "event"] },
    body: { type: "text" },
    sentAt: { type: "datetime" },
  },
});

const DAY = 86400000;
const MAY = Date.UTC(2024, 4, 1, 10, 0, 0, 125);
const uuid = (n) => `00000000-0000-4000-8000-00000000000${n}`;

// The uuid, name, state, day of May, updated and last seen in ms after that, and the messages:
// author, body, ms.
const sessions = [
  [1, "design", "completed", 0, 7200000, 3600000, [
    ["ai", "Hello, what shall we build?", 0],
    ["human", "A lamp.", 1000],
    ["ai", "Which colour?", 2000],
    ["human", "Green.", 3000],
    ["human", "No, blue.", 3000],
    ["ai", "Blue it is.", 3000],
  ]],
  [2, "print", "cancelled", 1, 5000, null, [
    ["human", "Print it.", 0],
    ["function", "printer on fire", 1],
    ["event", "paper jam", 2],
    ["ai", "It does not print.", 3],
  ]],
  [3, null, "stopped", 2, null, null, [["human", "Hi", 10]]],
  [4, "old", "error", 3, 9, null, []],
  [5, "parked", "suspended", 4, 9, 8, [["human", "Later.", 7]]],
];

async function main(out) {
  const orm = await MikroORM.init({ entities: [Session, Message], dbName: out });
  await orm.getSchemaGenerator().createSchema();
  const em = orm.em.fork();
  for (const [n, name, state, day, updated, seen, messages] of sessions) {
    const begin = MAY + day * DAY;
    const session = em.create(Session, {
      id: uuid(n),
      name,
      state,
      createdAt: new Date(begin),
      updatedAt: updated === null ? null : new Date(begin + updated),
      lastSeenAt: seen === null ? null : new Date(begin + seen),
    });
    await em.persistAndFlush(session);
    for (const [author, body, ms] of messages) {
      const sentAt = new Date(begin + ms);
      await em.persistAndFlush(em.create(Message, { session, author, body, sentAt }));
    }
  }
  await em.getConnection().execute("PRAGMA journal_mode = DELETE");
  await orm.close(true);
}

main(process.argv[2]).catch((error) => {
  console.error(error);
  process.exit(1);
});
