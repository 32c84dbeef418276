// Test REPLAY...: what a game in C# does, and the checksums of recordings, one line each.

using System;
using System.IO;
using System.Runtime.InteropServices;
using BitstepPhysics;

static class Test
{
    internal static void Expect(bool isSo, string what)
    {
        if (!isSo) throw new Exception("not so: " + what);
    }

    internal static Code CodeOf(Action call)
    {
        try { call(); }
        catch (BitstepException error)
        {
            Expect(error.Message.Length > 3, "a failure has words");
            return error.Code;
        }
        return Code.Ok;
    }

    // A level with a plane, and spheres above it; the recording of so many ticks.
    static byte[] Falling(int ticks, long offset, out Checksum checksum)
    {
        World world;
        uint ball;
        using (Scenery level = new Scenery())
        {
            uint ground = level.AddShape(Shape.Plane(Vec3.Lit("0", "1", "0")));
            ball = level.AddShape(Shape.Sphere(Bitstep.Lit("0.5")));
            uint rubber = level.AddMaterial(Bitstep.Lit("0.5"), Bitstep.Lit("0.3"));
            level.AddStatic(Static.Of(ground, rubber, new Vec3()));
            world = new World(level, Limits.At(60));
        }
        using (world)
        using (Recorder recorder = new Recorder(world))
        {
            Vec3 gravity = world.GravityNearest(Vec3.Lit("0", "-9.81", "0"));
            world.Apply(new[] { Command.Of(CommandKind.SetGravity, new Body(), gravity) }, 1);
            world.EventsEnabled = true;
            Body first = new Body();
            for (int number = 0; number < 30; number++)
            {
                Spawn spawn = Spawn.Of(ball, new Vec3((number % 5) * Bitstep.Lit("1.25"), (number / 5 + 2) * Bitstep.Lit("1.5"), number * offset));
                spawn.Rotates = 1;
                Body body = world.Spawn(spawn);
                if (number == 0) first = body;
            }
            Event[] events = new Event[0];
            int heard = 0;
            for (int tick = 0; tick < ticks; tick++)
            {
                world.Tick();
                recorder.Tick();
                heard += world.Events(ref events);
            }
            BodyState state;
            Hit hit;
            Expect(heard > 30 && world.Report.Tick == (ulong)ticks, "there are events");
            Expect(world.TryGet(first, out state) && state.Position.Y < 1L << 34, "a sphere has fallen");
            Expect(!world.TryGet(new Body { Id = 99 }, out state), "there is no body of this id");
            Expect(world.CastRay(Query.Ray(Vec3.Lit("40", "5", "0"), Vec3.Lit("0", "-10", "0")), out hit), "there is ground");
            Expect(hit.Collider.IsStatic == 1 && hit.Point.Y == 0, "the ground is a static");
            Near[] near = new Near[3];
            Query around = Query.At(state.Position);
            around.Radius = Bitstep.Lit("50");
            Expect(world.Nearest(around, near) == 3 && near[0].Distance <= near[2].Distance, "three are near");
            checksum = world.Checksum;
            byte[] recording = recorder.Finish();
            Expect(FromBytes(world, Spawn.Of(ball, Vec3.Lit("50", "50", "0"))), "commands are the same as bytes");
            return recording;
        }
    }

    // A body and a command in the world, and as bytes in a copy of it.
    static bool FromBytes(World world, Spawn spawn)
    {
        using (World other = world.Clone())
        {
            Command[] commands = { Command.Of(CommandKind.SetUser, new Body()) };
            commands[0].User = 7;
            byte[] bytes = new byte[0];
            int length = Bitstep.Encode(spawn, ref bytes);
            uint refused = other.ApplyBytes(bytes, length);
            length = Bitstep.Encode(commands, 1, ref bytes);
            refused += other.ApplyBytes(bytes, length);
            world.Spawn(spawn);
            world.Apply(commands, 1);
            return refused == 0 && Bitstep.CommandsCount(bytes, length) == 1 && other.Checksum.Equals(world.Checksum);
        }
    }

    static Checksum Played(string text)
    {
        using (Scene scene = new Scene(text))
        using (World world = scene.World())
        {
            for (ulong tick = 0; tick < scene.TickCount; tick++) scene.Tick(world);
            return world.Checksum;
        }
    }

    static void Hulls()
    {
        using (Scenery level = new Scenery())
        {
            Hull hull, upright;
            Vec3[] ramp =
            {
                Vec3.Lit("0", "0", "0"), Vec3.Lit("4", "0", "0"), Vec3.Lit("4", "2", "0"),
                Vec3.Lit("0", "0", "3"), Vec3.Lit("4", "0", "3"), Vec3.Lit("4", "2", "3"),
            };
            uint first = level.AddHull(ramp, out hull);
            uint second = level.AddHullUpright(ramp, out upright);
            Expect(first == 0 && second == 1, "two shapes");
            Expect(hull.Corners == 6 && hull.Center.Equals(upright.Center), "six corners, one center");
            Expect(upright.Axes.Equals(Rotation.Identity) && !hull.Axes.Equals(Rotation.Identity), "axes of two kinds");
            Expect(CodeOf(() => level.AddHull(new[] { ramp[0], ramp[1], ramp[2] }, out hull)) == Code.Range, "a flat hull");
        }
    }

    // A ground, dug by structs and by bytes.
    static void Heights()
    {
        const string text = "(title: \"\", tick_rate: 60, ticks: 1, materials: {\"m\": (restitution: 0)}, bodies: [],"
            + " shapes: {\"s\": heights(cell: 1, unit: 0.25, rows: [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]])},"
            + " statics: [(name: \"s\", shape: \"s\", material: \"m\", position: (0, 0, 0))])";
        using (Scene scene = new Scene(text))
        using (World world = scene.World())
        using (World other = scene.World())
        {
            short[,] heights = { { 1, 2, 3, 4, -6 }, { 5, 6, 7, 8, -7 } };
            Command[] commands = { Command.SetHeights(0, 1, 1, heights) };
            byte[] bytes = new byte[0];
            int length = Bitstep.Encode(commands, 1, ref bytes);
            world.Apply(commands, 1);
            Expect(other.ApplyBytes(bytes, length) == 0 && other.Checksum.Equals(world.Checksum), "ground is dug as by bytes");
            for (int place = 0; place < 10; place++)
            {
                Hit hit;
                long x = (place % 5 + 1) * (1L << 32), z = (place / 5 + 1) * (1L << 32);
                Expect(world.CastRay(Query.Ray(new Vec3(x, 8L << 32, z), Vec3.Lit("0", "-16", "0")), out hit), "ground is there");
                Expect(hit.Point.Y == heights[place / 5, place % 5] * (1L << 30), "a height is as it was set");
            }
            commands[0] = Command.SetHeights(0, 0, 0, new short[1, 9]);
            Expect(CodeOf(() => world.Apply(commands, 1)) == Code.Range, "nine columns");
            commands[0] = Command.SetHeights(0, 0, 0, new short[0, 3]);
            Expect(CodeOf(() => world.Apply(commands, 1)) == Code.Range, "no row");
            commands[0] = Command.SetHeights(0, 4, 0, new short[1, 3]);
            Expect(CodeOf(() => world.Apply(commands, 1)) == Code.Refused, "beyond the ground");
        }
    }

    // A mesh and ground of heights, and a world that digs and asks.
    static void Levels()
    {
        using (Scenery level = new Scenery())
        {
            MeshReport report;
            long unit = 1L << 32;
            Vec3[] points = { new Vec3(), new Vec3(0, 0, 4 * unit), new Vec3(4 * unit, 0, 4 * unit), new Vec3(4 * unit, 0, 0) };
            int[] triangles = { 0, 1, 2, 2, 3, 0, 0, 0, 1 };
            short[,] heights = { { 0, 0, 0 }, { 0, 4, 0 } };
            Expect(level.AddMesh(points, triangles, new byte[] { 0, 1, 1 }, out report) == 0, "the first shape");
            Expect(report.Points == 4 && report.Triangles == 2 && report.Materials == 2 && report.Facets == 2, "two triangles of two materials");
            Expect(report.Degenerate == 1 && report.Repeated == 0 && report.OpenEdges > 0 && report.BentEdges == 0, "one is left out");
            Expect(level.AddHeights(unit, unit / 4, heights, new byte[,] { { Cell.OtherDiagonal, Cell.Hole } }) == 1, "the second shape");
            Expect(level.AddHeights(unit, unit / 4, heights) == 2, "the third shape");
            level.AddMaterial(0, 0);
            level.AddMaterial(0, 0);
            level.AddStatic(Static.Of(0, 0, new Vec3(20 * unit, 0, 0)));
            level.AddStatic(Static.Of(1, 0, new Vec3(0, unit / 2, 0)));
            Dig(level, unit);
            triangles[5] = 4;
            Expect(CodeOf(() => level.AddMesh(points, triangles, null, out report)) == Code.Range, "there is no such point");
            triangles[5] = -1;
            Expect(CodeOf(() => level.AddMesh(points, triangles, null, out report)) == Code.Range, "nor one before the first");
            Expect(CodeOf(() => level.AddMesh(new Vec3[0], new int[0], null, out report)) == Code.Range, "no triangles");
            Expect(CodeOf(() => level.AddMeshFile(new byte[9], 9, out report)) == Code.Data, "no file of a mesh");
            Expect(CodeOf(() => level.AddHeights(unit, unit, new short[1, 2])) == Code.Range, "one row");
            Expect(CodeOf(() => level.AddHeights(0, unit, heights)) == Code.Range, "cells without a size");
            Expect(IsMisused(() => level.AddMesh(points, new int[4], null, out report)), "four corners");
            Expect(IsMisused(() => level.AddMesh(points, new int[3], new byte[2], out report)), "two materials of one triangle");
            Expect(IsMisused(() => level.AddHeights(unit, unit, heights, new byte[2, 2])), "as many cells as points");
        }
    }

    // A fighter of two boxes comes up through a ledge and stands on it.
    static void Ledges()
    {
        using (Scenery level = new Scenery())
        {
            long unit = 1L << 32;
            uint box = level.AddShape(Shape.Aabb(new Vec3(unit / 2, unit / 2, unit / 2)));
            uint ledge = level.AddShape(Shape.Aabb(new Vec3(2 * unit, unit / 8, 2 * unit)));
            level.SetOpenFace(ledge, Face.PlusY);
            uint fighter = level.AddCompound(ChildShape.Of(box, new Vec3()), ChildShape.Of(box, new Vec3(0, unit, 0), 3));
            level.AddMaterial(0, 0);
            level.AddStatic(Static.Of(ledge, 0, new Vec3()));
            Expect(fighter == 65535, "the first compound");
            Expect(CodeOf(() => level.SetOpenFace(9, Face.PlusX)) == Code.Range, "no such shape");
            Expect(CodeOf(() => level.SetOpenFace(0, (Face)7)) == Code.Argument, "no such face");
            using (World world = new World(level, Limits.At(60)))
            {
                Spawn spawn = Spawn.Of(fighter, new Vec3(0, -2 * unit, 0));
                spawn.Velocity = new Vec3(0, unit / 4, 0);
                Body body = world.Spawn(spawn);
                Command[] fall = { Command.Of(CommandKind.SetGravity, new Body(), new Vec3(0, -unit / 512, 0)) };
                world.Apply(fall, 1);
                for (int tick = 0; tick < 400; tick++) world.Tick();
                BodyState state;
                Expect(world.TryGet(body, out state) && state.Position.Y > 5 * unit / 8 && state.Position.Y < 3 * unit / 4, "it stands on the ledge");
            }
        }
    }

    static void Dig(Scenery level, long unit)
    {
        using (World world = new World(level, Limits.At(60)))
        {
            Ground at;
            Hit hit;
            short[] heights = new short[0];
            uint[] triangles = new uint[0];
            world.Apply(new[] { Command.SetHeights(1, 1, 1, new short[,] { { 8 } }) }, 1);
            Expect(world.TryGround(1, unit / 2, unit, out at) && at.Height == 3 * unit / 2 && at.Normal.X < 0, "ground as it was dug");
            Expect(!world.TryGround(1, 3 * unit / 2, unit / 2, out at), "a hole");
            Expect(world.Heights(1, ref heights) == 6 && heights[4] == 8 && heights[3] == 0, "heights by rows");
            Expect(world.CastRay(Query.Ray(new Vec3(23 * unit, unit, unit), new Vec3(0, -2 * unit, 0)), out hit), "the mesh is there");
            Expect(world.FacetOwner(hit.Collider.Index) == 0 && world.FacetOwner(1) == 1, "statics of facets");
            Expect(world.FacetTriangles(hit.Collider.Index, ref triangles) == 1 && triangles[0] == 1, "the second triangle");
            Expect(CodeOf(() => world.TryGround(0, 0, 0, out at)) == Code.Range, "a mesh is no ground");
            Expect(CodeOf(() => world.FacetOwner(99)) == Code.Range, "no facet");
        }
    }

    static bool IsMisused(Action call)
    {
        try { call(); }
        catch (ArgumentException) { return true; }
        return false;
    }

    static void Errors()
    {
        Scenery level = new Scenery();
        level.AddShape(Shape.Sphere(1L << 31));
        level.AddMaterial(0, 0);
        World world = new World(level, Limits.At(60));
        level.Dispose();
        level.Dispose();
        Expect(CodeOf(() => new World(level, Limits.At(60))) == Code.Handle, "the level is gone");
        Expect(CodeOf(() => Bitstep.Lit("x")) == Code.Range, "no number");
        world.Spawn(Spawn.Of(0, new Vec3()));
        Expect(CodeOf(() => world.Spawn(Spawn.Of(0, new Vec3()))) == Code.Refused, "an overlap is refused");
        Expect(CodeOf(() => new Replay(new byte[9])) == Code.Data, "no recording");
        Expect(CodeOf(() => new Scene("(title: 3)")) == Code.Data, "no scene");
        Expect(CodeOf(() => Bitstep.CommandsCount(new byte[9], 9)) == Code.Data, "no commands");
        Code[] codes = new Code[2];
        Command[] commands = { Command.Of(CommandKind.SetUser, new Body { Id = 5 }), Command.Of(CommandKind.SetUser, new Body()) };
        world.Apply(commands, 2, codes);
        Expect(codes[0] == Code.Refused && codes[1] == Code.Ok, "one of two is refused");
        world.Dispose();
        Expect(CodeOf(world.Tick) == Code.Handle, "the world is gone");
    }

    // Saves, restores and ticks as a rollback does, in the memory that there is.
    static void Allocations()
    {
        using (Scenery level = new Scenery())
        {
            level.AddShape(Shape.Sphere(1L << 31));
            level.AddMaterial(0, 0);
            using (World world = new World(level, Limits.At(60)))
            {
                for (int number = 0; number < 20; number++)
                {
                    Spawn spawn = Spawn.Of(0, new Vec3((long)number << 33, 0, 0));
                    spawn.Velocity.X = 1 << 20;
                    world.Spawn(spawn);
                }
                byte[] bytes = new byte[1 << 16];
                BodyState[] states = new BodyState[64];
                Command[] commands = { Command.Of(CommandKind.SetUser, new Body()) };
                Code[] codes = new Code[1];
                long before = 0;
                for (int tick = 0; tick < 3000; tick++)
                {
                    if (tick == 1000) before = GC.GetTotalMemory(true);
                    int length = world.Save(ref bytes);
                    world.Apply(commands, 1, codes);
                    world.Tick();
                    world.Restore(bytes, length);
                    world.Tick();
                    Expect(world.Bodies(ref states) == 20, "twenty bodies");
                }
                long more = GC.GetTotalMemory(false) - before;
                Expect(more < 20000, "2,000 ticks took " + more + " bytes");
            }
        }
    }

    static int Main(string[] paths)
    {
        Errors();
        Hulls();
        Heights();
        Ledges();
        Levels();
        Allocations();
        TestDraw.All();
        Checksum checksum, again;
        byte[] recording = Falling(200, 1000, out checksum), other = Falling(200, 1001, out again);
        using (Replay replay = new Replay(recording))
        using (Replay changed = new Replay(other))
        {
            Verdict verdict = replay.Verify();
            Expect(verdict.IsSame == 1 && verdict.Ticks == 200 && verdict.Checksum.Equals(checksum), "a recording verifies");
            Expect(replay.Diff(replay) == null, "a recording is as itself");
            Expect(replay.Diff(changed, true).StartsWith("{\"judgement\""), "another one differs");
        }
        foreach (string path in paths)
        {
            using (Replay replay = new Replay(File.ReadAllBytes(path)))
            using (World world = replay.World(0))
            {
                byte[] bytes = new byte[16];
                for (ulong tick = 1; tick <= replay.TickCount; tick++)
                {
                    int length = replay.Commands(tick, ref bytes);
                    world.ApplyBytes(bytes, length);
                    world.Tick();
                }
                Expect(replay.Verify().Checksum.Equals(world.Checksum), path + " is played as it is verified");
                Expect(Played(File.ReadAllText(Path.ChangeExtension(path, ".ron"))).Equals(world.Checksum), path + " is its scene");
                Console.WriteLine(world.Checksum);
            }
        }
        return 0;
    }
}
