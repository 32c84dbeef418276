// bitstep for C#: poses and debug lines as floats, for drawing, beside Bitstep.cs; over bitstep_draw.h. No float flows back: a picture cannot
// change a result. Nothing here allocates in a picture, but an array that is too small.

using System;
using System.Runtime.InteropServices;

namespace BitstepPhysics
{
    // Pose of a body in a picture: its center as seen from the origin, in units, and a unit quaternion, in the order of Unity and Godot.
    [StructLayout(LayoutKind.Sequential)]
    public struct Pose
    {
        public Body Body;
        public float X, Y, Z;
        public float RotationX, RotationY, RotationZ, RotationW;
        // 1 if the earlier frame does not have the body: it is where the later one has it.
        public uint IsNew;
    }

    // Line of a wireframe, from A to B, and the body or the static of which it is.
    [StructLayout(LayoutKind.Sequential)]
    public struct Line
    {
        public Collider Collider;
        public float AX, AY, AZ, BX, BY, BZ;
    }

    // Poses of the last two ticks of a world, exact.
    public sealed class Frames : Owned
    {
        public Frames() : base(Make()) { }
        static ulong Make()
        {
            ulong handle;
            Native.CheckVersion();
            Native.Check(NativeDraw.bitstep_frames_new(out handle));
            return handle;
        }
        protected override Code Free(ulong handle) { return NativeDraw.bitstep_frames_free(handle); }
        // Takes the poses of all bodies, after each World.Tick.
        public void Push(World world) { Native.Check(NativeDraw.bitstep_frames_push(Handle, world.Handle)); }
        // Number of poses at a part of the way between the last two ticks, 0 to 1, as seen from an origin; an array that is too small is replaced.
        public int Between(float alpha, Vec3 origin, ref Pose[] poses)
        {
            UIntPtr count;
            View view = new View { Size = Native.Size<View>.Value, Alpha = alpha, Origin = origin };
            Code code = NativeDraw.bitstep_frames_between(Handle, ref view, poses, (UIntPtr)poses.Length, out count);
            if (code == Code.Buffer)
            {
                poses = new Pose[(int)count];
                code = NativeDraw.bitstep_frames_between(Handle, ref view, poses, count, out count);
            }
            Native.Check(code);
            return (int)count;
        }
    }

    public static class Wireframe
    {
        // Number of lines of all bodies and statics as they are, as seen from an origin; an array that is too small is replaced.
        public static int Lines(this World world, Vec3 origin, ref Line[] lines)
        {
            UIntPtr count;
            Code code = NativeDraw.bitstep_world_lines(world.Handle, ref origin, lines, (UIntPtr)lines.Length, out count);
            if (code == Code.Buffer)
            {
                lines = new Line[(int)count];
                code = NativeDraw.bitstep_world_lines(world.Handle, ref origin, lines, count, out count);
            }
            Native.Check(code);
            return (int)count;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    struct View { internal uint Size; internal float Alpha; internal Vec3 Origin; }

    static class NativeDraw
    {
        const string Library = "bitstep_c";

        [DllImport(Library)] internal static extern Code bitstep_frames_new(out ulong frames);
        [DllImport(Library)] internal static extern Code bitstep_frames_free(ulong frames);
        [DllImport(Library)] internal static extern Code bitstep_frames_push(ulong frames, ulong world);
        [DllImport(Library)] internal static extern Code bitstep_frames_between(ulong frames, ref View view, [Out] Pose[] poses, UIntPtr capacity, out UIntPtr count);
        [DllImport(Library)] internal static extern Code bitstep_world_lines(ulong world, ref Vec3 origin, [Out] Line[] lines, UIntPtr capacity, out UIntPtr count);
    }
}
