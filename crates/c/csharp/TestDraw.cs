// Poses and lines for drawing: values, failures, and that a picture takes no memory.

using System;
using BitstepPhysics;

static class TestDraw
{
    // A world in which spheres a unit apart move up by half a unit per tick; a rotating box lies at the end.
    static World Moving(int spheres)
    {
        using (Scenery level = new Scenery())
        {
            uint ball = level.AddShape(Shape.Sphere(1L << 30));
            uint box = level.AddShape(Shape.Obb(Vec3.Lit("0.25", "0.25", "0.25"), Rotation.Identity));
            level.AddMaterial(0, 0);
            World world = new World(level, Limits.At(60));
            for (int number = 0; number <= spheres; number++)
            {
                Spawn spawn = Spawn.Of(number < spheres ? ball : box, new Vec3((long)number << 32, 0, 0));
                spawn.Velocity.Y = 1L << 31;
                if (number == spheres)
                {
                    spawn.Rotates = 1;
                    spawn.Orientation = new Rotation { W = 759250125, Y = 759250125 };
                }
                world.Spawn(spawn);
            }
            return world;
        }
    }

    static void Values()
    {
        using (World world = Moving(3))
        using (Frames frames = new Frames())
        {
            Pose[] poses = new Pose[0];
            frames.Push(world);
            world.Tick();
            frames.Push(world);
            Test.Expect(frames.Between(0.25f, Vec3.Lit("1", "-4", "0.5"), ref poses) == 4 && poses.Length == 4, "four poses");
            Pose second = poses[1], box = poses[3];
            Test.Expect(second.Body.Id == 1 && second.IsNew == 0, "bodies are in the order of their ids");
            Test.Expect(second.X == 0f && second.Y == 4.125f && second.Z == -0.5f && second.RotationW == 1f, "a quarter of the way");
            float root = (float)Math.Sqrt(0.5);
            Test.Expect(box.X == 2f && box.RotationX == 0f && box.RotationZ == 0f, "the box is turned about the second axis");
            Test.Expect(Math.Abs(box.RotationY - root) < 1e-6f && Math.Abs(box.RotationW - root) < 1e-6f, "by a quarter");
            Line[] lines = new Line[0];
            Test.Expect(world.Lines(new Vec3(), ref lines) == 3 * 72 + 12 && lines[216].Collider.Body.Id == 3, "wireframes");
            Test.Expect(Math.Abs(lines[0].AX * lines[0].AX + (lines[0].AY - 0.5f) * (lines[0].AY - 0.5f) - 0.0625f) < 1e-6f, "a circle");
            Test.Expect(Test.CodeOf(() => frames.Between(float.NaN, new Vec3(), ref poses)) == Code.Range, "NaN is refused");
            Frames gone = new Frames();
            gone.Dispose();
            Test.Expect(Test.CodeOf(() => gone.Push(world)) == Code.Handle, "the frames are gone");
        }
    }

    static void Allocations()
    {
        using (World world = Moving(20))
        using (Frames frames = new Frames())
        {
            Pose[] poses = new Pose[64];
            Line[] lines = new Line[4096];
            long before = 0;
            for (int tick = 0; tick < 2000; tick++)
            {
                if (tick == 500) before = GC.GetTotalMemory(true);
                world.Tick();
                frames.Push(world);
                Test.Expect(frames.Between(0.5f, new Vec3(), ref poses) == 21, "twenty-one poses");
                if (tick % 10 == 0) world.Lines(new Vec3(), ref lines);
            }
            long more = GC.GetTotalMemory(false) - before;
            Test.Expect(more < 20000, "1,500 pictures took " + more + " bytes");
        }
    }

    internal static void All()
    {
        Values();
        Allocations();
    }
}
