// Stand-ins for the types of Unity that docs/guide/unity.md names, so that its script is compiled without an editor.

namespace UnityEngine
{
    public struct Vector3 { public Vector3(float x, float y, float z) { } }
    public struct Quaternion { public Quaternion(float x, float y, float z, float w) { } }
    public struct Pose { }
    public static class Time { public static float deltaTime { get { return 0; } } }
    public class Object { public static T Instantiate<T>(T original) { return original; } }
    public class Transform : Object { public void SetPositionAndRotation(Vector3 position, Quaternion rotation) { } }
    public class GameObject : Object { public Transform transform { get { return null; } } }
    public class MonoBehaviour : Object { }
}
